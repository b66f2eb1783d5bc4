import { listAuditedObjects } from '#db/audit/audit.ts'
import type { Db } from '#db/engine/client.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import type { LedgerBreak } from '#domain/ledger/find-breaks.ts'
import type { ShopKeys } from '../crypto/key-ring.ts'
import { blindIndex } from '../crypto/tokens.ts'

/** The audit entry that explains a break. */
export const breakExplained = { subjectId: shopSubjectId, action: 'stock.break-explained' } as const

/**
 * The object of that entry: the row, and a keyed hash of the row and its gap. Someone who can write
 * to the audit log but lacks the keys can't explain a break, and no entry explains another gap.
 */
export const explainedObject = (
  keys: Pick<ShopKeys, 'indexKey'>,
  { id, endedAt, before }: LedgerBreak,
): string => `${id}:${blindIndex(keys, 'stock-break', JSON.stringify([id, endedAt, before]))}`

/** The objects of all explained breaks. */
export const readExplainedBreaks = async (db: Db): Promise<ReadonlySet<string>> =>
  new Set(await listAuditedObjects(db, breakExplained))
