import type { Db } from '#db/engine/client.ts'
import type { InventoryTransaction } from '#domain/inventory/inventory.ts'
import { toTransaction } from '#domain/ledger/ledger.ts'
import { readChanges } from '#server/ledger/list-ledger-page.ts'
import { openLedger } from '#server/ledger/walk-ledger.ts'
import { testKeys } from './context.ts'

/** The whole ledger of a variant, or of all with null, decrypted, oldest first. */
export async function ledgerOf(db: Db, variantId: string | null): Promise<InventoryTransaction[]> {
  const ctx = { db, keys: testKeys }
  const ledger = await openLedger(ctx, variantId)
  return (await readChanges(ctx, ledger, { dir: 'asc', place: null, limit: Infinity })).map(toTransaction)
}
