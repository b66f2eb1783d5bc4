import { insertAudit, insertAudits, type AuditRow } from '#db/audit/audit.ts'
import type { AuditAction } from '#domain/audit/audit.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { toAppError } from '../errors.ts'

type Act = {
  action: AuditAction
  /** Whose data it is. */
  subjectId: string
  /** The prescription, file or address; left out when it is the whole account. */
  objectId?: string
}

/**
 * Writes down who did what to whose data, in the caller's transaction: the log has it exactly when it happened. The row holds
 * ids and no values (45 CFR 164.312(b)).
 */
export async function recordAudit(ctx: Context, act: Act): Promise<void> {
  await insertAudit(ctx.db, rowOf(ctx, act))
}

const rowOf = (ctx: Context, { action, subjectId, objectId }: Act): AuditRow => ({
  id: newId(ctx.now.getTime()),
  actorId: ctx.user?.id ?? null,
  subjectId,
  action,
  objectId: objectId ?? null,
  requestId: ctx.requestId,
  at: ctx.now,
})

/**
 * Writes down that somebody is about to read; called before the answer. When nothing can be stored, one's own data can be
 * read all the same and the log of the process tells of it; another's cannot.
 */
export async function recordRead(ctx: Context, act: Act): Promise<void> {
  try {
    await recordAudit(ctx, act)
  } catch (error) {
    if (toAppError(error).code !== 'STORAGE_FULL' || ctx.user?.id !== act.subjectId) throw error
    ctx.log.warn({ err: error, requestId: ctx.requestId, action: act.action }, 'read without an audit row')
  }
}

/** Writes down that somebody is about to read something of each of these people. Throws STORAGE_FULL when that cannot be stored. */
export const recordReads = (
  ctx: Context,
  { action, subjectIds }: { action: AuditAction; subjectIds: readonly string[] },
): Promise<void> =>
  recordReadsOf(
    ctx,
    subjectIds.map((subjectId) => ({ action, subjectId })),
  )

/** Writes down several things of others' that somebody is about to read, at once. Throws STORAGE_FULL when that cannot be stored. */
export async function recordReadsOf(ctx: Context, acts: readonly Act[]): Promise<void> {
  await insertAudits(
    ctx.db,
    acts.map((act) => rowOf(ctx, act)),
  )
}
