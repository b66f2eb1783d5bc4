import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { countRows } from '../engine/count-rows.ts'
import { jsonRows } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'
import type { Schema } from '../schema/schema.ts'

/**
 * The sealed part of the ledger: an inbox of new changes, and closed batches of many customers'
 * orders. SQL reads only batches and blind indexes; the rest opens with the shop's key.
 */

export type InboxRow = Schema['ledgerInbox']
export type BatchRow = Schema['ledgerBatches']
export type SealedRow = Schema['ledgerRows']

const insertInbox = prepareQuery((db, p: Params<InboxRow>) =>
  db.insertInto('ledgerInbox').values({ id: p.id, sealedChanges: p.sealedChanges }),
)

export async function insertInboxRow(db: Db, row: InboxRow): Promise<void> {
  await insertInbox(db, row)
}

export async function findInboxRow(db: Db, id: string): Promise<InboxRow | null> {
  return (await db.selectFrom('ledgerInbox').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** All changes that are in no batch yet, in no order. */
export const listInbox = (db: Db): Promise<InboxRow[]> => db.selectFrom('ledgerInbox').selectAll().execute()

export async function countInbox(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('ledgerInbox')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes rows of the inbox. Returns how many there were: another process may have taken some. */
export async function deleteInboxRows(db: Db, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('ledgerInbox')
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The newest batch, or null. */
export async function findLastBatch(db: Db): Promise<BatchRow | null> {
  const row = await db
    .selectFrom('ledgerBatches')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Stores a batch with its rows in random order, so that the heap of Postgres says nothing. */
export async function insertBatch(db: Db, batch: BatchRow, rows: readonly SealedRow[]): Promise<void> {
  await db.insertInto('ledgerBatches').values(batch).execute()
  const list = jsonRows(
    db,
    rows.map((row) => ({
      id: row.id,
      batch_id: row.batchId,
      variant_hash: row.variantHash,
      sealed_row: row.sealedRow,
    })),
    { id: 'text', batch_id: 'text', variant_hash: 'text', sealed_row: 'text' },
  )
  await sql`insert into ledger_rows (id, batch_id, variant_hash, sealed_row)
    select r.id, r.batch_id, r.variant_hash, r.sealed_row from ${list} where true order by r.id`.execute(db)
}

/** A row of a batch, or null. */
export async function findSealedRow(db: Db, id: string): Promise<SealedRow | null> {
  return (await db.selectFrom('ledgerRows').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** A batch without its rows. */
export type BatchHeader = Pick<BatchRow, 'id' | 'fromAt' | 'toAt'>

/**
 * Batches next to one in the order of the ledger, without it.
 * @param variantHash only batches that changed this variant
 */
export const listBatches = (
  db: Db,
  {
    beside,
    variantHash,
    dir,
    limit,
  }: { beside: string | null; variantHash: string | null; dir: 'asc' | 'desc'; limit: number },
): Promise<BatchHeader[]> =>
  db
    .selectFrom('ledgerBatches')
    .select(['id', 'fromAt', 'toAt'])
    .$if(beside !== null, (query) => query.where('id', dir === 'asc' ? '>' : '<', beside ?? ''))
    .$if(variantHash !== null, (query) =>
      query.where((eb) =>
        eb.exists(
          eb
            .selectFrom('ledgerRows')
            .select('ledgerRows.id')
            .whereRef('ledgerRows.batchId', '=', 'ledgerBatches.id')
            .where('ledgerRows.variantHash', '=', variantHash ?? ''),
        ),
      ),
    )
    .orderBy('id', dir)
    .limit(limit)
    .execute()

/** The first batch that ends after a time, or null. */
export async function findBatchOfTime(
  db: Db,
  { time, variantHash }: { time: Date; variantHash: string | null },
): Promise<string | null> {
  const row = await db
    .selectFrom('ledgerBatches')
    .select('id')
    .where('toAt', '>', time)
    .$if(variantHash !== null, (query) =>
      query.where((eb) =>
        eb.exists(
          eb
            .selectFrom('ledgerRows')
            .select('ledgerRows.id')
            .whereRef('ledgerRows.batchId', '=', 'ledgerBatches.id')
            .where('ledgerRows.variantHash', '=', variantHash ?? ''),
        ),
      ),
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** The next batches with changes between two times, by their ids. */
export const listBatchesBetween = (
  db: Db,
  { from, to, after, limit }: { from: Date; to: Date; after: string; limit: number },
): Promise<BatchRow[]> =>
  db
    .selectFrom('ledgerBatches')
    .selectAll()
    .where('toAt', '>=', from)
    .where('fromAt', '<', to)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** The rows of a batch, in no order. */
export const listBatchRows = (db: Db, batchId: string, variantHash: string | null): Promise<SealedRow[]> =>
  db
    .selectFrom('ledgerRows')
    .selectAll()
    .where('batchId', '=', batchId)
    .$if(variantHash !== null, (query) => query.where('variantHash', '=', variantHash ?? ''))
    .execute()

/** The batch of a sealed row, or null. */
export async function findBatchOfRow(db: Db, id: string): Promise<string | null> {
  const row = await db.selectFrom('ledgerRows').select('batchId').where('id', '=', id).executeTakeFirst()
  return row?.batchId ?? null
}

/** How many rows of the batches a grid shows, of one variant or of all. */
export const countListedRows = (db: Db, variantHash: string | null): Promise<number> =>
  countRows(
    db,
    db
      .selectFrom('ledgerRows')
      .$if(variantHash !== null, (query) => query.where('variantHash', '=', variantHash ?? '')),
  )

/** How many rows all batches have. */
export async function countSealedRows(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('ledgerRows')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The rows of these variants in all batches. */
export const listSealedRowsOfVariants = (db: Db, variantHashes: readonly string[]): Promise<SealedRow[]> =>
  db
    .selectFrom('ledgerRows')
    .selectAll()
    .where(isOneOf(db, 'variant_hash', sql`${JSON.stringify(variantHashes)}`))
    .execute()
