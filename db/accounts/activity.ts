import type { Db } from '../engine/client.ts'

type Sought = {
  subjectId: string
  /** The rows before this id alone. */
  before: string | null
  limit: number
  /** Leaves out what the person did themself. */
  othersOnly: boolean
}

/** What was done with a person's data and by whom, the newest first. The actor's part is null when there is none any longer. */
export const listActivity = (db: Db, { subjectId, before, limit, othersOnly }: Sought) =>
  db
    .selectFrom('auditLog')
    .leftJoin('users', 'users.id', 'auditLog.actorId')
    .leftJoin('userKeys', 'userKeys.userId', 'users.id')
    .select([
      'auditLog.id',
      'auditLog.at',
      'auditLog.action',
      'auditLog.actorId',
      'users.sealedName',
      'userKeys.wrappedKey',
    ])
    .where('auditLog.subjectId', '=', subjectId)
    .$if(before !== null, (query) => query.where('auditLog.id', '<', before ?? ''))
    .$if(othersOnly, (query) =>
      query.where((row) =>
        row.or([row('auditLog.actorId', 'is', null), row('auditLog.actorId', '!=', subjectId)]),
      ),
    )
    .orderBy('auditLog.id', 'desc')
    .limit(limit)
    .execute()

export type ActivityRow = Awaited<ReturnType<typeof listActivity>>[number]
