import { listActivityRows, type ActivityRow } from '#db/accounts/activity.ts'
import { auditActions, type AuditAction } from '#domain/audit/audit.ts'
import { isId } from '#domain/ids.ts'
import { requireUser } from '../require-user.ts'
import { openName } from './sealed-user.ts'
import { unwrapUserKey } from '../crypto/user-key.ts'
import type { Context } from '../context.ts'
import { recordRead } from '../audit/record-audit.ts'

/** An audit entry about a person's data, as that person reads it. */
export type Activity = {
  id: string
  at: Date
  by: { kind: 'self' } | { kind: 'shop' } | { kind: 'staff'; firstName: string | null }
  action: AuditAction
  /** For example "viewed the profile". */
  description: string
}

const pageSize = 50

/**
 * Who read or changed the signed-in user's data, the newest first. This read is audited too. `next`
 * is where the next page starts, null on the last page. Throws UNAUTHENTICATED.
 * @param before a row's id: only rows before it; anything else starts with the newest
 * @param othersOnly leaves out the user's own actions
 */
export async function listActivity(
  ctx: Context,
  { before, othersOnly }: { before: string | null; othersOnly: boolean },
): Promise<{ activities: Activity[]; next: string | null }> {
  const { id: subjectId } = requireUser(ctx)
  await recordRead(ctx, { action: 'audit.read', subjectId })
  const rows = await listActivityRows(ctx.db, {
    subjectId,
    othersOnly,
    before: before !== null && isId(before) ? before : null,
    limit: pageSize + 1,
  })
  const activities = rows.slice(0, pageSize).map((row) => openActivity(ctx, subjectId, row))
  return { activities, next: rows.length > pageSize ? (activities.at(-1)?.id ?? null) : null }
}

/** The whole log, read in batches. Not audited: the caller does that. */
export async function* streamActivity(ctx: Context, subjectId: string): AsyncGenerator<Activity> {
  const limit = 500
  let before: string | null = null
  while (true) {
    const rows: ActivityRow[] = await listActivityRows(ctx.db, {
      subjectId,
      before,
      limit,
      othersOnly: false,
    })
    for (const row of rows) yield openActivity(ctx, subjectId, row)
    before = rows.at(-1)?.id ?? null
    if (rows.length < limit) return
  }
}

const openActivity = (ctx: Pick<Context, 'keys'>, subjectId: string, row: ActivityRow): Activity => ({
  id: row.id,
  at: row.at,
  by: toActor(ctx, subjectId, row),
  action: row.action,
  description: auditActions[row.action],
})

function toActor(
  ctx: Pick<Context, 'keys'>,
  subjectId: string,
  { actorId, sealedName, wrappedKey }: ActivityRow,
): Activity['by'] {
  if (actorId === null) return { kind: 'shop' }
  if (actorId === subjectId) return { kind: 'self' }
  // A deleted account has no name anymore.
  if (sealedName === null || wrappedKey === null) return { kind: 'staff', firstName: null }
  const { firstName } = openName(unwrapUserKey(ctx, actorId, wrappedKey), { id: actorId, sealedName })
  return { kind: 'staff', firstName }
}
