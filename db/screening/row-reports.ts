import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export type RowReport = Schema['screeningRowReports']

/** A row of the interaction lists, or null. */
export async function findInteractionRow(
  db: Db,
  id: string,
): Promise<Pick<RowReport, 'list' | 'subject' | 'object' | 'level' | 'sentence'> | null> {
  const row = await db
    .selectFrom('careInteractions')
    .select(['list', 'subject', 'object', 'level', 'sentence'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** The report of a row that is open or confirmed, or null. */
export async function findActiveReport(db: Db, rowId: string): Promise<RowReport | null> {
  const row = await db
    .selectFrom('screeningRowReports')
    .selectAll()
    .where('rowId', '=', rowId)
    .where('status', 'in', ['open', 'confirmed'])
    .executeTakeFirst()
  return row ?? null
}

/** Ends a report whose row says something else now. */
export async function endRowReport(db: Db, id: string): Promise<void> {
  await db
    .updateTable('screeningRowReports')
    .set({ status: 'outdated' })
    .where('id', '=', id)
    .where('status', 'in', ['open', 'confirmed'])
    .execute()
}

/** Stores a report. Returns false when another one is open or confirmed. */
export async function insertRowReport(db: Db, report: RowReport): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('screeningRowReports')
    .values(report)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) > 0
}

export async function findRowReport(db: Db, id: string): Promise<RowReport | null> {
  const row = await db.selectFrom('screeningRowReports').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Decides on an open report. Returns false when another admin did. */
export async function decideRowReport(
  db: Db,
  id: string,
  decision: Pick<RowReport, 'status' | 'reviewedBy' | 'reviewedAt' | 'reviewNote'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('screeningRowReports')
    .set(decision)
    .where('id', '=', id)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

/** The reports, open ones first, then the newest. */
export const listReportRows = (db: Db, limit: number): Promise<RowReport[]> =>
  db
    .selectFrom('screeningRowReports')
    .selectAll()
    .orderBy((row) => row.case().when('status', '=', 'open').then(0).else(1).end())
    .orderBy('reportedAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
