import { listActivity, type ActivityRow } from '#db/accounts/activity.ts'
import { auditActions, type AuditAction } from '#domain/audit/audit.ts'
import { isId } from '#domain/ids.ts'
import { requireUser } from '../require-user.ts'
import { openName } from './sealed-user.ts'
import { unwrapUserKey } from '../crypto/user-key.ts'
import type { Context } from '../context.ts'
import { recordRead } from '../audit/record-audit.ts'

/** Something that was done with a person's data, as that person reads of it. */
export type Activity = {
  id: string
  at: Date
  by: { kind: 'self' } | { kind: 'shop' } | { kind: 'staff'; firstName: string | null }
  action: AuditAction
  /** "looked at the profile". */
  words: string
}

const pageSize = 50

/**
 * Who did what with the data of whoever is signed in, the newest first, which is written down as well. `next` is where the page
 * after begins, null after the last. Throws UNAUTHENTICATED.
 * @param before a row's id: those before it alone; what is no id begins with the newest
 * @param othersOnly leaves out what they did themself
 */
export async function readActivity(
  ctx: Context,
  { before, othersOnly }: { before: string | null; othersOnly: boolean },
): Promise<{ activities: Activity[]; next: string | null }> {
  const { id: subjectId } = requireUser(ctx)
  await recordRead(ctx, { action: 'audit.read', subjectId })
  const rows = await listActivity(ctx.db, {
    subjectId,
    othersOnly,
    before: before !== null && isId(before) ? before : null,
    limit: pageSize + 1,
  })
  const activities = rows.slice(0, pageSize).map((row) => openActivity(ctx, subjectId, row))
  return { activities, next: rows.length > pageSize ? (activities.at(-1)?.id ?? null) : null }
}

/** All of it, read as it is needed, unrecorded: that is the caller's. */
export async function* allActivity(ctx: Context, subjectId: string): AsyncGenerator<Activity> {
  const limit = 500
  let before: string | null = null
  while (true) {
    const rows: ActivityRow[] = await listActivity(ctx.db, { subjectId, before, limit, othersOnly: false })
    for (const row of rows) yield openActivity(ctx, subjectId, row)
    before = rows.at(-1)?.id ?? null
    if (rows.length < limit) return
  }
}

const openActivity = (ctx: Pick<Context, 'keys'>, subjectId: string, row: ActivityRow): Activity => ({
  id: row.id,
  at: row.at,
  by: actorOf(ctx, subjectId, row),
  action: row.action,
  words: auditActions[row.action],
})

function actorOf(
  ctx: Pick<Context, 'keys'>,
  subjectId: string,
  { actorId, sealedName, wrappedKey }: ActivityRow,
): Activity['by'] {
  if (actorId === null) return { kind: 'shop' }
  if (actorId === subjectId) return { kind: 'self' }
  // Somebody whose account is gone has no name any longer.
  if (sealedName === null || wrappedKey === null) return { kind: 'staff', firstName: null }
  const { firstName } = openName(unwrapUserKey(ctx, actorId, wrappedKey), { id: actorId, sealedName })
  return { kind: 'staff', firstName }
}
