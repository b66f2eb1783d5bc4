import { listInbox, type InboxRow, type SealedRow } from '#db/ledger/sealed-rows.ts'
import {
  batchSumsSchema,
  inboxContentSchema,
  ledgerChangeSchema,
  type InboxContent,
  type LedgerChange,
} from '#domain/ledger/ledger.ts'
import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing, ShopKeys } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'
import { blindIndex } from '../crypto/tokens.ts'

export function sealInboxRow(keys: KeyRing, content: InboxContent, id: string = randomUUID()): InboxRow {
  return { id, sealedChanges: seal(keys, bindings.ledgerInbox(id), JSON.stringify(content)) }
}

export const openInboxRow = (keys: KeyRing, { id, sealedChanges }: InboxRow): InboxContent =>
  inboxContentSchema.parse(JSON.parse(unseal(keys, bindings.ledgerInbox(id), sealedChanges)))

/** All changes of the inbox, in no order. */
export async function readInbox({ db, keys }: Pick<Context, 'db' | 'keys'>): Promise<LedgerChange[]> {
  return (await listInbox(db)).flatMap((row) => openInboxRow(keys, row).changes)
}

export const sealLedgerRow = (keys: ShopKeys, batchId: string, change: LedgerChange): SealedRow => ({
  id: change.id,
  batchId,
  variantHash: hashVariant(keys, change.variantId),
  sealedRow: seal(keys, bindings.ledgerRow(change.id), JSON.stringify(change)),
})

export const openLedgerRow = (
  keys: KeyRing,
  { id, sealedRow }: Pick<SealedRow, 'id' | 'sealedRow'>,
): LedgerChange => ledgerChangeSchema.parse(JSON.parse(unseal(keys, bindings.ledgerRow(id), sealedRow)))

/** Finds the rows of a variant without naming it. */
export const hashVariant = (keys: Pick<ShopKeys, 'indexKey'>, variantId: string): string =>
  blindIndex(keys, 'variant', variantId)

export const sealSums = (keys: KeyRing, batchId: string, sums: ReadonlyMap<string, number>): string =>
  seal(keys, bindings.ledgerSums(batchId), JSON.stringify([...sums]))

export const openSums = (
  keys: KeyRing,
  { id, sealedSums }: { id: string; sealedSums: string },
): Map<string, number> =>
  new Map(batchSumsSchema.parse(JSON.parse(unseal(keys, bindings.ledgerSums(id), sealedSums))))
