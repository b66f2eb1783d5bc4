import { insertAudit, insertAudits, type AuditRow } from '#db/audit/audit.ts'
import { shopSubjectId, type AuditAction } from '#domain/audit/audit.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { toAppError } from '../errors.ts'

type AuditEntry = {
  action: AuditAction
  /** Whose data it is. */
  subjectId: string
  /** The prescription, file or address; left out when it is the whole account. */
  objectId?: string
  /** Who did it, when that is not the signed-in user; null when it is not known. */
  actorId?: string | null
}

/**
 * Records who did what to whose data, in the caller's transaction, so that the log matches what
 * happened. The row holds ids and no values (45 CFR 164.312(b)). Returns the row's id.
 */
export async function recordAudit(ctx: Context, entry: AuditEntry): Promise<string> {
  const row = toAuditRow(ctx, entry)
  await insertAudit(ctx.db, row)
  const objectId = ctx.user?.apiKeyId
  // A row of its own names the key, under the same request: the chain's columns are frozen.
  if (objectId !== undefined)
    await insertAudit(ctx.db, toAuditRow(ctx, { action: 'api-key.used', subjectId: shopSubjectId, objectId }))
  return row.id
}

const toAuditRow = (
  ctx: Context,
  { action, subjectId, objectId, actorId = ctx.user?.id ?? null }: AuditEntry,
): AuditRow => ({
  id: newId(ctx.now.getTime()),
  actorId,
  subjectId,
  action,
  objectId: objectId ?? null,
  requestId: ctx.requestId,
  at: ctx.now,
})

/**
 * Records a read, before the data is returned. When storage is full, users can still read their own
 * data, and the process log records it; reading another user's data fails.
 */
export async function recordRead(ctx: Context, entry: AuditEntry): Promise<void> {
  try {
    await recordAudit(ctx, entry)
  } catch (error) {
    if (toAppError(error).code !== 'STORAGE_FULL' || ctx.user?.id !== entry.subjectId) throw error
    ctx.log.warn(
      { err: error, requestId: ctx.requestId, action: entry.action },
      'read not recorded in the audit log',
    )
  }
}

/** Records a read of each of these users' data. Throws STORAGE_FULL when it cannot be stored. */
export const recordReads = (
  ctx: Context,
  { action, subjectIds }: { action: AuditAction; subjectIds: readonly string[] },
): Promise<void> =>
  recordReadEntries(
    ctx,
    subjectIds.map((subjectId) => ({ action, subjectId })),
  )

/** Records several reads at once. Throws STORAGE_FULL when they cannot be stored. */
export async function recordReadEntries(ctx: Context, entries: readonly AuditEntry[]): Promise<void> {
  await insertAudits(
    ctx.db,
    entries.map((entry) => toAuditRow(ctx, entry)),
  )
}
