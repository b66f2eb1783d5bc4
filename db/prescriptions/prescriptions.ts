import type { GridPage } from '#domain/grid.ts'
import type { QuestionState } from '#domain/prescriptions/prescription-review.ts'
import type { ReviewQuery } from '#domain/prescriptions/review-inputs.ts'
import { sql, type Insertable, type Selectable } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { keysetPage } from '../engine/keyset.ts'
import type { Schema } from '../schema/schema.ts'

/** `orderId` is the id of its newest order. */
export type PrescriptionRow = Selectable<Schema['prescriptions']> & { orderId: string | null }

/** How many copies of one file are shown. */
const maxSameFiles = 20

const selectRows = (db: Db) =>
  db
    .selectFrom('prescriptions')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('orders')
        .select(({ fn }) => fn.max('orders.id').as('orderId'))
        .whereRef('orders.prescriptionId', '=', 'prescriptions.id')
        .as('orderId'),
    )

/** The next number of a prescription. Its row stays locked until this transaction ends. */
export async function takePrescriptionNumber(db: Db): Promise<number> {
  const { last } = await db
    .updateTable('prescriptionNumbers')
    .set((eb) => ({ last: eb('last', '+', 1) }))
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}

export async function insertPrescription(db: Db, row: Insertable<Schema['prescriptions']>): Promise<void> {
  await db.insertInto('prescriptions').values(row).execute()
}

/** A user's prescriptions, the newest first. */
export const listPrescriptions = (db: Db, userId: string): Promise<PrescriptionRow[]> =>
  selectRows(db).where('userId', '=', userId).orderBy('uploadedAt', 'desc').orderBy('id', 'desc').execute()

export async function countPrescriptions(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('prescriptions')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A prescription of any user, or null. */
export async function findPrescription(db: Db, id: string): Promise<PrescriptionRow | null> {
  return (await selectRows(db).where('id', '=', id).executeTakeFirst()) ?? null
}

export type ReviewListRow = Pick<
  PrescriptionRow,
  'id' | 'userId' | 'sealedDetails' | 'status' | 'uploadedAt'
> & {
  sealedName: string
  wrappedKey: string
  waitingOrders: number
  question: QuestionState
}

/** A page of all prescriptions by age, each with the key that opens its customer's name. */
export async function listReviewRows(
  db: Db,
  { status, ...query }: ReviewQuery,
): Promise<GridPage<ReviewListRow>> {
  const { count } = await db
    .selectFrom('prescriptions')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count'))
    .$if(status !== 'all', (filtered) => filtered.where('status', '=', status as PrescriptionRow['status']))
    .executeTakeFirstOrThrow()
  return keysetPage(
    db
      .selectFrom('prescriptions')
      .innerJoin('users', 'users.id', 'prescriptions.userId')
      .innerJoin('userKeys', 'userKeys.userId', 'prescriptions.userId')
      .select([
        'prescriptions.id',
        'prescriptions.userId',
        'prescriptions.sealedDetails',
        'prescriptions.status',
        'prescriptions.uploadedAt',
        'users.sealedName',
        'userKeys.wrappedKey',
        sql<number>`(select cast(count(*) as integer) from orders
          where prescription_id = prescriptions.id and orders.status in ('pending', 'processing'))`.as(
          'waitingOrders',
        ),
        sql<QuestionState>`(select case waiting_for when 'customer' then 'asked' when 'pharmacy' then 'answered' end
          from message_threads where subject_id = prescriptions.id)`.as('question'),
      ])
      .$if(status !== 'all', (filtered) =>
        filtered.where('prescriptions.status', '=', status as PrescriptionRow['status']),
      ),
    { by: sql<string>`prescriptions.uploaded_at`, id: sql`prescriptions.id` },
    query,
    Promise.resolve(count),
  )
}

/** Other prescriptions, of any user, whose file has the same content as this one's. */
export const listSameFiles = (db: Db, { id, fileId }: Pick<PrescriptionRow, 'id' | 'fileId'>) =>
  db
    .selectFrom('files')
    .innerJoin('files as others', 'others.contentHash', 'files.contentHash')
    .innerJoin('prescriptions', 'prescriptions.fileId', 'others.id')
    .select([
      'prescriptions.id',
      'prescriptions.userId',
      'prescriptions.number',
      'prescriptions.status',
      'prescriptions.uploadedAt',
      'prescriptions.sealedDetails',
    ])
    .where('files.id', '=', fileId)
    .where('prescriptions.id', '<>', id)
    .orderBy('prescriptions.id', 'desc')
    .limit(maxSameFiles)
    .execute()

/** Raises a prescription's version, if it is still at this one. Returns false when it is not. */
export async function touchPrescription(
  db: Db,
  { id, version }: Pick<PrescriptionRow, 'id' | 'version'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('prescriptions')
    .set({ version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type DecidedRow = Pick<
  PrescriptionRow,
  'id' | 'version' | 'status' | 'sealedDetails' | 'decidedBy' | 'decidedAt'
> &
  Partial<Pick<PrescriptionRow, 'sealedTranscription'>>

/**
 * Stores a decision on a prescription that is still at this version. Returns false when it is not.
 */
export async function updateDecision(db: Db, { id, version, ...decided }: DecidedRow): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('prescriptions')
    .set({ ...decided, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Deletes a user's prescription. Returns the id of its file, or null when the user has no such
 * prescription.
 */
export async function deletePrescription(
  db: Db,
  { id, userId }: Pick<PrescriptionRow, 'id' | 'userId'>,
): Promise<string | null> {
  const row = await db
    .deleteFrom('prescriptions')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('fileId')
    .executeTakeFirst()
  return row?.fileId ?? null
}

/**
 * Locks a prescription until this transaction ends. SQLite has one writer anyway.
 * @param to `delete` also waits for transactions that hold it for use
 */
export async function lockPrescription(db: Db, id: string, to: 'use' | 'delete' = 'use'): Promise<void> {
  if (getEngine(db) !== 'postgres') return
  const row = db.selectFrom('prescriptions').select('id').where('id', '=', id)
  await (to === 'use' ? row.forShare() : row.forUpdate()).execute()
}
