import { listActivityRows, type ActivityRow } from '#db/accounts/activity.ts'
import { describeDevice } from '#domain/accounts/device.ts'
import { listRoles, parseRoles } from '#domain/accounts/permissions.ts'
import { maskNetwork } from '#domain/accounts/network.ts'
import { auditActions, signInActions, unknownActorActions, type AuditAction } from '#domain/audit/audit.ts'
import { isId } from '#domain/ids.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openUserKey, unwrapUserKey } from '../crypto/user-key.ts'
import { requireUser } from '../require-user.ts'
import { openEventDetail, type EventDetail } from './sealed-event.ts'
import { openName } from './sealed-user.ts'

/** An audit entry about a person's data, as that person reads it. */
export type Activity = {
  id: string
  at: Date
  by: { kind: 'self' } | { kind: 'shop' } | { kind: 'unknown' } | { kind: 'staff'; firstName: string | null }
  action: AuditAction
  /** For example "viewed the profile". */
  description: string
  /** For example "Chrome on Windows, 203.0.113.x"; null when the entry has no device. */
  device: string | null
  /** Why an admin did it; null when no reason was needed. */
  reason: string | null
}

/** All entries, those of other people, or those about signing in. */
export type ActivityFilter = 'all' | 'others' | 'sign-ins'

export type ActivityPage = { activities: Activity[]; next: string | null }

const pageSize = 50

/**
 * Who read or changed the signed-in user's data and who signed in, the newest first. This read is
 * audited too. `next` is where the next page starts, null on the last page. Throws UNAUTHENTICATED.
 * @param before a row's id: only rows before it; anything else starts with the newest
 */
export async function listActivity(
  ctx: Context,
  { before, filter }: { before: string | null; filter: ActivityFilter },
): Promise<ActivityPage> {
  const { id: subjectId } = requireUser(ctx)
  await recordRead(ctx, { action: 'audit.read', subjectId })
  return readActivityPage(ctx, { subjectId, before, filter })
}

/** A page of a person's log. Not audited: the caller does that. */
export async function readActivityPage(
  ctx: Context,
  { subjectId, before, filter }: { subjectId: string; before: string | null; filter: ActivityFilter },
): Promise<ActivityPage> {
  const rows = await listActivityRows(ctx.db, {
    subjectId,
    ...toQuery(filter),
    before: before !== null && isId(before) ? before : null,
    limit: pageSize + 1,
  })
  const key = await openUserKey(ctx, subjectId)
  const activities = rows.slice(0, pageSize).map((row) => openActivity(ctx, { subjectId, key }, row))
  return { activities, next: rows.length > pageSize ? (activities.at(-1)?.id ?? null) : null }
}

const toQuery = (filter: ActivityFilter) => ({
  othersOnly: filter === 'others',
  actions: filter === 'sign-ins' ? signInActions : null,
})

/** The whole log, read in batches. Not audited: the caller does that. */
export async function* streamActivity(ctx: Context, subjectId: string): AsyncGenerator<Activity> {
  const limit = 500
  let before: string | null = null
  const key = await openUserKey(ctx, subjectId)
  while (true) {
    const rows: ActivityRow[] = await listActivityRows(ctx.db, {
      subjectId,
      before,
      limit,
      ...toQuery('all'),
    })
    for (const row of rows) yield openActivity(ctx, { subjectId, key }, row)
    before = rows.at(-1)?.id ?? null
    if (rows.length < limit) return
  }
}

type Subject = { subjectId: string; key: KeyRing | null }

function openActivity(ctx: Pick<Context, 'keys' | 'user'>, subject: Subject, row: ActivityRow): Activity {
  const { id, at, action, objectId, sealedDetail } = row
  const detail = sealedDetail !== null && subject.key ? openEventDetail(subject.key, id, sealedDetail) : {}
  return {
    id,
    at,
    by: toActor(ctx, subject.subjectId, row),
    action,
    description: auditActions[action] + attemptNumber(objectId) + roleChange(detail),
    device:
      objectId !== null && objectId === ctx.user?.sessionId
        ? 'this browser'
        : detail.address === undefined
          ? null
          : `${describeDevice(detail.userAgent ?? null)}, ${maskNetwork(detail.address)}`,
    reason: detail.reason ?? null,
  }
}

/** Past the tenth in 15 minutes, refused attempts are recorded now and then, with their number. */
const attemptNumber = (objectId: string | null): string =>
  objectId !== null && /^\d{3,}$/.test(objectId)
    ? `, attempt ${Number(objectId).toLocaleString('en-US')}`
    : ''

/** Changes that earlier releases recorded name no roles. */
const roleChange = ({ rolesBefore, rolesAfter }: EventDetail): string =>
  rolesBefore === undefined || rolesAfter === undefined
    ? ''
    : ` from ${listRoles(parseRoles(rolesBefore))} to ${listRoles(parseRoles(rolesAfter))}`

function toActor(
  ctx: Pick<Context, 'keys'>,
  subjectId: string,
  { action, actorId, sealedName, wrappedKey }: ActivityRow,
): Activity['by'] {
  if (actorId === null) return { kind: unknownActorActions.has(action) ? 'unknown' : 'shop' }
  if (actorId === subjectId) return { kind: 'self' }
  // A deleted account has no name anymore.
  if (sealedName === null || wrappedKey === null) return { kind: 'staff', firstName: null }
  const { firstName } = openName(unwrapUserKey(ctx, actorId, wrappedKey), { id: actorId, sealedName })
  return { kind: 'staff', firstName }
}
