import { sql } from 'kysely'
import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'
import { jsonRows, jsonTextRows } from '../engine/json-rows.ts'
import type { Schema } from '../schema/schema.ts'
import { isOneOf } from '../engine/sql.ts'

export type AuditRow = Schema['auditLog']
export type ChainLink = Schema['auditChain']

const insert = prepareQuery((db, p: Params<AuditRow>) =>
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

/**
 * Appends to the log; a trigger queues the row for the chaining job. A single statement, so it
 * needs no transaction of its own.
 */
export async function insertAudit(db: Db, row: AuditRow): Promise<void> {
  await insert(db, row)
}

/** The same for many rows, in one statement. */
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

const insertMany = prepareQuery((db, p: Params<{ rows: string }>) => {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  const query = sql<never>`insert into audit_log (${names})
    select ${names} from ${jsonTextRows(db, p.rows, columns)}`
  return { compile: () => query.compile(db) }
})

/** Adds a detail to a row of the log. */
export async function insertAuditDetail(db: Db, detail: Schema['auditDetails']): Promise<void> {
  await db.insertInto('auditDetails').values(detail).execute()
}

/** Whether this action was ever done to a user's data. */
export async function hasAuditEntry(
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

/** The object of an action under a request id, or null when the log has none. */
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

/** The objects of an action, in no order. */
export async function listAuditedObjects(
  db: Db,
  { subjectId, action }: Pick<AuditRow, 'subjectId' | 'action'>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('auditLog')
    .select('objectId')
    .where('subjectId', '=', subjectId)
    .where('action', '=', action)
    .execute()
  return rows.flatMap(({ objectId }) => objectId ?? [])
}

/**
 * The advisory lock that lets one process at a time append to the chain. The number is arbitrary
 * but must be unique.
 */
const chainLock = 4_502_018

/** Whether this transaction may append to the chain until it ends. SQLite has one writer anyway. */
async function tryLockChain(tx: Db): Promise<boolean> {
  if (getEngine(tx) === 'sqlite') return true
  const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${chainLock}) as got`.execute(
    tx,
  )
  return rows[0]?.got === true
}

/** The end of the chain, or null when it is empty. */
export async function findChainHead(db: Db): Promise<ChainLink | null> {
  const row = await db.selectFrom('auditChain').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return row ?? null
}

/**
 * Pending rows that can be chained. A row that the log has lost or that is already chained is left
 * for `audit:verify` to find.
 */
const pendingRows = (db: Db) =>
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
 * Appends up to `limit` pending rows to the chain, in the order of their ids, in one short
 * transaction. Returns their number and the new end, or null when none is pending or another
 * process is chaining.
 * @param hashOf a link's hash with the shop's key, from the previous one ('' before the first)
 */
export async function chainPending(
  db: Db,
  { limit, hashOf }: { limit: number; hashOf: (link: { previous: string; row: AuditRow }) => string },
): Promise<{ chained: number; head: ChainLink } | null> {
  // Checked outside a transaction first: usually nothing is pending, and SQLite has one writer.
  if (!(await pendingRows(db).limit(1).executeTakeFirst())) return null
  return db.transaction().execute(async (tx) => {
    if (!(await tryLockChain(tx))) return null
    const rows = await pendingRows(tx).limit(limit).execute()
    let head = (await findChainHead(tx)) ?? { seq: 0, auditId: '', hash: '', keyed: true }
    const links = rows.map((row) => {
      const hash = hashOf({ previous: head.hash, row })
      head = { seq: head.seq + 1, auditId: row.id, hash, keyed: true }
      return { seq: head.seq, audit_id: head.auditId, hash: head.hash }
    })
    if (links.length === 0) return null
    const columns = { seq: 'bigint', audit_id: 'text', hash: 'text' } as const
    await sql`
      insert into audit_chain (seq, audit_id, hash, keyed)
      select seq, audit_id, hash, true from ${jsonRows(tx, links, columns)}
    `.execute(tx)
    const ids = sql<string>`${JSON.stringify(rows.map(({ id }) => id))}`
    await tx
      .deleteFrom('auditPending')
      .where(isOneOf(tx, 'auditId', ids))
      .execute()
    return { chained: links.length, head }
  })
}

/** The chain after `seq`, each link with its log row; null when the log has none. */
export async function listChain(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<(ChainLink & { row: AuditRow | null })[]> {
  const rows = await db
    .selectFrom('auditChain')
    .leftJoin('auditLog', 'auditLog.id', 'auditChain.auditId')
    .select(['auditChain.seq', 'auditChain.auditId', 'auditChain.hash', 'auditChain.keyed'])
    .select(['id', 'actorId', 'subjectId', 'action', 'objectId', 'requestId', 'at'])
    .where('auditChain.seq', '>', after)
    .orderBy('auditChain.seq')
    .limit(limit)
    .execute()
  return rows.map(({ seq, auditId, hash, keyed, id, subjectId, action, requestId, at, ...row }) => ({
    seq,
    auditId,
    hash,
    keyed,
    row:
      id !== null && subjectId !== null && action !== null && requestId !== null && at !== null
        ? { ...row, id, subjectId, action, requestId, at }
        : null,
  }))
}

/** The hashes of these links, by number. */
export async function listHashes(db: Db, seqs: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.selectFrom('auditChain').select(['seq', 'hash']).where('seq', 'in', seqs).execute()
  return new Map(rows.map(({ seq, hash }) => [seq, hash]))
}

/**
 * The log after `id`, with the state of each row. One statement sees a row either pending or
 * chained. The joins have the bound, too: without it, Postgres reads the chain from its start for
 * each page.
 */
export async function listLogStates(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; seq: number | null; isPending: boolean }[]> {
  const rows = await db
    .selectFrom('auditLog')
    .leftJoin('auditChain', (join) =>
      join.onRef('auditChain.auditId', '=', 'auditLog.id').on('auditChain.auditId', '>', after),
    )
    .leftJoin('auditPending', (join) =>
      join.onRef('auditPending.auditId', '=', 'auditLog.id').on('auditPending.auditId', '>', after),
    )
    .select(['auditLog.id', 'auditChain.seq', 'auditPending.auditId as pendingId'])
    .where('auditLog.id', '>', after)
    .orderBy('auditLog.id')
    .limit(limit)
    .execute()
  return rows.map(({ id, seq, pendingId }) => ({ id, seq, isPending: pendingId !== null }))
}

/** The number of pending rows, and the ids of those that are missing from the log. */
export async function getPendingSummary(db: Db): Promise<{ count: number; missingIds: string[] }> {
  const { count } = await db
    .selectFrom('auditPending')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const missingIds = await db
    .selectFrom('auditPending')
    .leftJoin('auditLog', 'auditLog.id', 'auditPending.auditId')
    .select('auditPending.auditId')
    .where('auditLog.id', 'is', null)
    .orderBy('auditPending.auditId')
    .execute()
  return { count, missingIds: missingIds.map(({ auditId }) => auditId) }
}

/** Duplicate ids in the log and in the chain, which no constraint of ours allows. */
export async function listDuplicateIds(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from audit_log group by id having count(*) > 1
    union select audit_id from audit_chain group by audit_id having count(*) > 1
    union select cast(seq as text) from audit_chain group by seq having count(*) > 1
  `.execute(db)
  return rows.map(({ id }) => id)
}
