import type { AuditAction } from '#domain/audit/audit.ts'
import type { Db } from '../engine/client.ts'

type AuditLogQuery = {
  /** Who did it, to other people's data and to the shop's. */
  actorId: string | null
  subjectId: string | null
  /** Null for all. */
  actions: readonly AuditAction[] | null
  /** Only rows from this id on. */
  from: string
  /** Only rows before this id. */
  before: string
  limit: number
}

/**
 * Rows of the audit log, the newest first, with the roles of each actor: null once their account is
 * deleted. Reads by the subject, by the actor, or a range of ids.
 */
export const listAuditLogRows = (
  db: Db,
  { actorId, subjectId, actions, from, before, limit }: AuditLogQuery,
) =>
  db
    .selectFrom('auditLog')
    .leftJoin('users', 'users.id', 'auditLog.actorId')
    .leftJoin('auditDetails', 'auditDetails.auditId', 'auditLog.id')
    .selectAll('auditLog')
    .select(['users.roles as actorRoles', 'auditDetails.sealedDetail'])
    .where('auditLog.id', '>=', from)
    .where('auditLog.id', '<', before)
    .$if(subjectId !== null, (query) => query.where('auditLog.subjectId', '=', subjectId ?? ''))
    .$if(actorId !== null, (query) => query.where('auditLog.actorId', '=', actorId ?? ''))
    // The condition of the index by actor (migration 0070). What a person did to their own data is
    // found as theirs.
    .$if(actorId !== null && subjectId === null, (query) =>
      query.whereRef('auditLog.actorId', '!=', 'auditLog.subjectId'),
    )
    .$if(actions !== null, (query) => query.where('auditLog.action', 'in', actions ?? []))
    .orderBy('auditLog.id', 'desc')
    .limit(limit)
    .execute()

export type AuditLogRow = Awaited<ReturnType<typeof listAuditLogRows>>[number]
