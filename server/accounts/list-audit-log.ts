import { listAuditLogRows, type AuditLogRow } from '#db/audit/audit-log.ts'
import { listStaffRows } from '#db/accounts/users.ts'
import { auditActions, shopSubjectId, unknownActorActions, type AuditAction } from '#domain/audit/audit.ts'
import { actionsOf, defaultDays, type AuditQuery } from '#domain/audit/audit-query.ts'
import { addDays, utcDay } from '#domain/days.ts'
import { beforeIdsOf, isId } from '#domain/ids.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { openUserKey, unwrapUserKey } from '../crypto/user-key.ts'
import { requirePermission } from '../require-user.ts'
import { formerStaff, getStaffNames } from './get-staff-names.ts'
import { readNameOrEmail } from './person-reader.ts'
import { openEventDetail } from './sealed-event.ts'

/** A row of the audit log. It names staff; of customers, it has the id only. */
export type AuditEntry = {
  id: string
  at: Date
  action: AuditAction
  /** For example "viewed the profile". */
  description: string
  who:
    | { kind: 'self' | 'shop' | 'unknown' }
    | { kind: 'customer'; id: string }
    | { kind: 'staff'; id: string; name: string }
  /** A user's id, `shop`, or null for an address without an account. */
  about: string | null
  objectId: string | null
  requestId: string
  /** Why a member of the staff did it. Only in the log of one account, whose key opens it. */
  reason: string | null
}

export type AuditLogPage = {
  entries: AuditEntry[]
  /** Where the next page starts; null on the last. */
  next: string | null
  /** The first day; null for the whole log of an account. */
  from: string | null
  /** The person that the filter names; null without one, and when their account was deleted. */
  accountName: string | null
}

const pageSize = 50
/** After every id. */
const lastId = '~'

/**
 * A page of the audit log, the newest first, for its regular review (45 CFR 164.308(a)(1)(ii)(D)).
 * Each look is a row of the log itself, about the account that the filter names. Throws
 * UNAUTHENTICATED, FORBIDDEN.
 */
export async function listAuditLog(ctx: Context, query: AuditQuery): Promise<AuditLogPage> {
  requirePermission(ctx, 'audit.read')
  const { who, about, action, to, before } = query
  await recordRead(ctx, {
    action: 'audit.read',
    subjectId: about ?? shopSubjectId,
    ...(who !== null && { objectId: who }),
  })
  const from = query.from ?? (about === null ? addDays(to ?? utcDay(ctx.now), 1 - defaultDays) : null)
  const end = to === null ? lastId : beforeIdsOf(Date.parse(addDays(to, 1)))
  const rows = await listAuditLogRows(ctx.db, {
    actorId: who,
    subjectId: about,
    actions: action === null ? null : actionsOf(action),
    from: from === null ? '' : beforeIdsOf(Date.parse(from)),
    before: before !== null && before < end ? before : end,
    limit: pageSize + 1,
  })
  const shown = rows.slice(0, pageSize)
  const names = await getStaffNames(
    ctx,
    shown.filter(isByStaff).map(({ actorId }) => actorId),
  )
  const key = about === null ? null : await openUserKey(ctx, about)
  const entries = shown.map((row): AuditEntry => {
    const { id, at, action, subjectId, objectId, requestId, sealedDetail } = row
    return {
      id,
      at,
      action,
      description: auditActions[action],
      who: toActor(row, names),
      about: subjectId === shopSubjectId || isId(subjectId) ? subjectId : null,
      objectId,
      requestId,
      reason: key && sealedDetail !== null ? (openEventDetail(key, id, sealedDetail).reason ?? null) : null,
    }
  })
  return {
    entries,
    next: rows.length > pageSize ? (entries.at(-1)?.id ?? null) : null,
    from,
    accountName: about === null ? null : ((await getStaffNames(ctx, [about])).get(about) ?? null),
  }
}

const isByStaff = ({ actorId, subjectId, actorRoles }: AuditLogRow): boolean =>
  actorId !== null && actorId !== subjectId && actorRoles !== ''

function toActor(row: AuditLogRow, names: ReadonlyMap<string, string>): AuditEntry['who'] {
  const { action, actorId, subjectId } = row
  if (actorId === null) return { kind: unknownActorActions.has(action) ? 'unknown' : 'shop' }
  if (actorId === subjectId) return { kind: 'self' }
  if (!isByStaff(row)) return { kind: 'customer', id: actorId }
  return { kind: 'staff', id: actorId, name: names.get(actorId) ?? formerStaff }
}

/** The staff of today, by name, for the filter. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listStaff(ctx: Context): Promise<{ id: string; name: string }[]> {
  requirePermission(ctx, 'audit.read')
  return (await listStaffRows(ctx.db))
    .map((row) => ({ id: row.id, name: readNameOrEmail(unwrapUserKey(ctx, row.id, row.wrappedKey), row) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en-US'))
}
