import type { AuditAction } from '#domain/audit/audit.ts'
import type { Db } from '../engine/client.ts'

type ActivityQuery = {
  subjectId: string
  /** Only rows before this id. */
  before: string | null
  limit: number
  /** Leaves out the user's own actions. */
  othersOnly: boolean
  /** Only these actions; null for all. */
  actions: readonly AuditAction[] | null
}

/**
 * The audit rows about a user's data with the actor of each, the newest first. The actor's columns
 * are null once their account is deleted.
 */
export const listActivityRows = (db: Db, { subjectId, before, limit, othersOnly, actions }: ActivityQuery) =>
  db
    .selectFrom('auditLog')
    .leftJoin('users', 'users.id', 'auditLog.actorId')
    .leftJoin('auditDetails', 'auditDetails.auditId', 'auditLog.id')
    .leftJoin('userKeys', 'userKeys.userId', 'users.id')
    .select([
      'auditLog.id',
      'auditLog.at',
      'auditLog.action',
      'auditLog.actorId',
      'auditLog.objectId',
      'auditDetails.sealedDetail',
      'users.sealedName',
      'userKeys.wrappedKey',
    ])
    .where('auditLog.subjectId', '=', subjectId)
    .$if(before !== null, (query) => query.where('auditLog.id', '<', before ?? ''))
    .$if(actions !== null, (query) => query.where('auditLog.action', 'in', actions ?? []))
    .$if(othersOnly, (query) =>
      query.where((row) =>
        row.or([row('auditLog.actorId', 'is', null), row('auditLog.actorId', '!=', subjectId)]),
      ),
    )
    .orderBy('auditLog.id', 'desc')
    .limit(limit)
    .execute()

export type ActivityRow = Awaited<ReturnType<typeof listActivityRows>>[number]
