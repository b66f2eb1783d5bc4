import type { Insertable, Selectable } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
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
 * Prescriptions that an order was placed on, that a pharmacist decided a line on, or whose items
 * have a fill that counts, whatever became of the order. What a checkout without an order has
 * reserved does not count: that order will find the prescription deleted.
 */
const selectUsed = (db: Db) =>
  db
    .selectFrom('prescriptions')
    .select('id')
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('orders')
            .select('orders.id')
            .whereRef('orders.prescriptionId', '=', 'prescriptions.id'),
        ),
        eb.exists(
          eb
            .selectFrom('lineReviews')
            .select('lineReviews.lineId')
            .whereRef('lineReviews.prescriptionId', '=', 'prescriptions.id'),
        ),
        eb.exists(
          eb
            .selectFrom('fills')
            .innerJoin('prescriptionItems', 'prescriptionItems.id', 'fills.itemId')
            .select('fills.id')
            .whereRef('prescriptionItems.prescriptionId', '=', 'prescriptions.id')
            .where('fills.status', '<>', 'released')
            .where('fills.orderId', 'is not', null),
        ),
      ]),
    )

/** Whether an order uses this prescription. */
export const isPrescriptionUsed = async (db: Db, id: string): Promise<boolean> =>
  (await selectUsed(db).where('id', '=', id).executeTakeFirst()) !== undefined

/** The ids of a user's prescriptions that an order uses. */
export async function listUsedPrescriptions(db: Db, userId: string): Promise<ReadonlySet<string>> {
  const rows = await selectUsed(db).where('userId', '=', userId).execute()
  return new Set(rows.map(({ id }) => id))
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
