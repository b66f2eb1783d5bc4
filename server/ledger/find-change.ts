import { findInboxRow, findSealedRow } from '#db/ledger/sealed-rows.ts'
import type { LedgerChange } from '#domain/ledger/ledger.ts'
import type { Context } from '../context.ts'
import { openInboxRow, openLedgerRow } from './sealed-ledger.ts'

/** The change with this id, in an inbox row of the same id or in a batch; or null. */
export async function findChange(
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  id: string,
): Promise<LedgerChange | null> {
  const inboxRow = await findInboxRow(db, id)
  if (inboxRow) return openInboxRow(keys, inboxRow).changes.find((change) => change.id === id) ?? null
  const row = await findSealedRow(db, id)
  return row && openLedgerRow(keys, row)
}
