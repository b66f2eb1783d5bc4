import { sql } from 'kysely'
import { engineOf, prepared, type Db, type Params } from '../engine/client.ts'
import { jsonRows, jsonTextRows } from '../engine/json-rows.ts'
import type { Schema } from '../schema/schema.ts'
import { isOneOf } from '../engine/sql.ts'

export type AuditRow = Schema['auditLog']
export type ChainLink = Schema['auditChain']

const insert = prepared((db, p: Params<AuditRow>) =>
  db.insertInto('auditLog').values({
    id: p.id,
    actorId: p.actorId,
    subjectId: p.subjectId,
    action: p.action,
    objectId: p.objectId,
    requestId: p.requestId,
    at: p.at,
  }),
)

/** Appends to the log; its trigger tells the chaining job. One statement, so it needs no transaction of its own. */
export async function insertAudit(db: Db, row: AuditRow): Promise<void> {
  await insert(db, row)
}

/** The same of many rows, in one statement. */
export async function insertAudits(db: Db, rows: readonly AuditRow[]): Promise<void> {
  if (rows.length === 0) return
  const json = rows.map(({ actorId, subjectId, objectId, requestId, ...row }) => ({
    ...row,
    actor_id: actorId,
    subject_id: subjectId,
    object_id: objectId,
    request_id: requestId,
  }))
  await insertMany(db, { rows: JSON.stringify(json) })
}

const columns = {
  id: 'text',
  actor_id: 'text',
  subject_id: 'text',
  action: 'text',
  object_id: 'text',
  request_id: 'text',
  at: 'timestamptz',
} as const

const insertMany = prepared((db, p: Params<{ rows: string }>) => {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  const query = sql<never>`insert into audit_log (${names})
    select ${names} from ${jsonTextRows(db, p.rows, columns)}`
  return { compile: () => query.compile(db) }
})

/** Whether the log tells that this was ever done to somebody's data. */
export async function hasAudit(
  db: Db,
  { subjectId, action }: Pick<AuditRow, 'subjectId' | 'action'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('auditLog')
    .select('id')
    .where('subjectId', '=', subjectId)
    .where('action', '=', action)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** What something was done to under this request's name, or null when the log tells of none. */
export async function findAuditedObject(
  db: Db,
  { subjectId, action, requestId }: Pick<AuditRow, 'subjectId' | 'action' | 'requestId'>,
): Promise<string | null> {
  const row = await db
    .selectFrom('auditLog')
    .select('objectId')
    .where('subjectId', '=', subjectId)
    .where('action', '=', action)
    .where('requestId', '=', requestId)
    .limit(1)
    .executeTakeFirst()
  return row?.objectId ?? null
}

/** Names the lock under which one process at a time appends to the chain; any number that nothing else locks. */
const chainLock = 4_502_018

/** Whether this transaction is the one that may append to the chain until it ends. SQLite has one writer anyhow. */
async function mayChain(tx: Db): Promise<boolean> {
  if (engineOf(tx) === 'sqlite') return true
  const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${chainLock}) as got`.execute(
    tx,
  )
  return rows[0]?.got === true
}

/** The end of the chain, or null when nothing is chained yet. */
export async function findChainHead(db: Db): Promise<ChainLink | null> {
  const row = await db.selectFrom('auditChain').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return row ?? null
}

/** What waits and can be chained: a row that the log has lost, or that is chained already, is left for `audit:verify` to find. */
const waiting = (db: Db) =>
  db
    .selectFrom('auditPending')
    .innerJoin('auditLog', 'auditLog.id', 'auditPending.auditId')
    .selectAll('auditLog')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('auditChain')
            .select('seq')
            .whereRef('auditChain.auditId', '=', 'auditPending.auditId'),
        ),
      ),
    )
    .orderBy('auditPending.auditId')

/**
 * Takes up to `limit` rows that wait, in the order of their ids, and appends them to the chain, in one short transaction.
 * Returns how many they were and the new end; nothing when none waits or another process is at it.
 * @param hashOf a row's hash, from the one before it ('' before the first)
 */
export async function chainWaiting(
  db: Db,
  { limit, hashOf }: { limit: number; hashOf: (previous: string, row: AuditRow) => string },
): Promise<{ chained: number; head: ChainLink } | null> {
  // Asked first without a transaction: mostly nothing waits, and SQLite has one writer.
  if (!(await waiting(db).limit(1).executeTakeFirst())) return null
  return db.transaction().execute(async (tx) => {
    if (!(await mayChain(tx))) return null
    const rows = await waiting(tx).limit(limit).execute()
    let head = (await findChainHead(tx)) ?? { seq: 0, auditId: '', hash: '' }
    const links = rows.map((row) => {
      head = { seq: head.seq + 1, auditId: row.id, hash: hashOf(head.hash, row) }
      return { seq: head.seq, audit_id: head.auditId, hash: head.hash }
    })
    if (links.length === 0) return null
    const columns = { seq: 'bigint', audit_id: 'text', hash: 'text' } as const
    await sql`
      insert into audit_chain (seq, audit_id, hash) select seq, audit_id, hash from ${jsonRows(tx, links, columns)}
    `.execute(tx)
    const ids = sql<string>`${JSON.stringify(rows.map(({ id }) => id))}`
    await tx
      .deleteFrom('auditPending')
      .where(isOneOf(tx, 'auditId', ids))
      .execute()
    return { chained: links.length, head }
  })
}

/** The chain after `seq`, each link with the log's row that it names; null where the log has none. */
export async function listChain(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<(ChainLink & { row: AuditRow | null })[]> {
  const rows = await db
    .selectFrom('auditChain')
    .leftJoin('auditLog', 'auditLog.id', 'auditChain.auditId')
    .select(['auditChain.seq', 'auditChain.auditId', 'auditChain.hash'])
    .select(['id', 'actorId', 'subjectId', 'action', 'objectId', 'requestId', 'at'])
    .where('auditChain.seq', '>', after)
    .orderBy('auditChain.seq')
    .limit(limit)
    .execute()
  return rows.map(({ seq, auditId, hash, id, subjectId, action, requestId, at, ...row }) => ({
    seq,
    auditId,
    hash,
    row:
      id !== null && subjectId !== null && action !== null && requestId !== null && at !== null
        ? { ...row, id, subjectId, action, requestId, at }
        : null,
  }))
}

/** The log after `id`, with where each row stands: one statement sees a row either waiting or chained. */
export async function listLogPlaces(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; seq: number | null; isWaiting: boolean }[]> {
  const rows = await db
    .selectFrom('auditLog')
    .leftJoin('auditChain', 'auditChain.auditId', 'auditLog.id')
    .leftJoin('auditPending', 'auditPending.auditId', 'auditLog.id')
    .select(['auditLog.id', 'auditChain.seq', 'auditPending.auditId as waitingId'])
    .where('auditLog.id', '>', after)
    .orderBy('auditLog.id')
    .limit(limit)
    .execute()
  return rows.map(({ id, seq, waitingId }) => ({ id, seq, isWaiting: waitingId !== null }))
}

/** How many rows wait, and of those the ids that the log does not have. */
export async function readWaiting(db: Db): Promise<{ count: number; lost: string[] }> {
  const { count } = await db
    .selectFrom('auditPending')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const lost = await db
    .selectFrom('auditPending')
    .leftJoin('auditLog', 'auditLog.id', 'auditPending.auditId')
    .select('auditPending.auditId')
    .where('auditLog.id', 'is', null)
    .orderBy('auditPending.auditId')
    .execute()
  return { count, lost: lost.map(({ auditId }) => auditId) }
}

/** Ids that stand twice, which no constraint of ours allows: of the log, and of the chain. */
export async function listDoubled(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from audit_log group by id having count(*) > 1
    union select audit_id from audit_chain group by audit_id having count(*) > 1
    union select cast(seq as text) from audit_chain group by seq having count(*) > 1
  `.execute(db)
  return rows.map(({ id }) => id)
}
