import { discardOrphaned } from '#db/files/files.ts'
import { deleteRecord, listExpiredRecords, type RecordRow } from '#db/records/dispensing-records.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { addYears } from '#domain/records/dispensing-record.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { requestErasure } from '../crypto/request-erasure.ts'
import { openRetentionKey } from '../crypto/retention-key.ts'
import { getSettings } from '../settings/get-settings.ts'
import { openRecord } from './sealed-record.ts'

const batchSize = 50

/**
 * Deletes records whose retention period has ended, with their keys, until none is left or `signal`
 * aborts. The next sweep of files deletes the bytes of files that no record names anymore. Several
 * processes can run it.
 */
export async function deleteExpiredRecords(ctx: Context, signal: AbortSignal): Promise<void> {
  const { retentionYears } = await getSettings(ctx)
  const before = addYears(ctx.now, -retentionYears)
  let deleted = 0
  while (!signal.aborted) {
    const rows = await listExpiredRecords(ctx.db, { before, limit: batchSize })
    if (rows.length === 0) break
    const retentionKey = await openRetentionKey(ctx)
    for (const row of rows) await deleteOne(ctx, retentionKey, row)
    deleted += rows.length
  }
  if (deleted > 0) await discardOrphaned(ctx.db, ctx.now)
}

async function deleteOne(ctx: Context, retentionKey: KeyRing, row: RecordRow): Promise<void> {
  const subjectId = readSubject(retentionKey, row)
  await inTransaction(ctx, async (ctx) => {
    if (!(await deleteRecord(ctx.db, row.orderId))) return
    await recordAudit(ctx, { action: 'record.deleted', subjectId, objectId: row.orderId })
    await requestErasure(ctx, 'key')
  })
}

/** Whose record it is. A record that does not open is deleted all the same. */
function readSubject(retentionKey: KeyRing, row: RecordRow): string {
  try {
    return openRecord(retentionKey, row).userId
  } catch {
    return shopSubjectId
  }
}
