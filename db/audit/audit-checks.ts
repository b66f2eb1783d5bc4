import type { Db } from '../engine/client.ts'

/** The only row. */
const id = 'daily'

/**
 * Starts the daily check in one of several processes. False when it is not due, or runs elsewhere.
 */
export async function claimAuditCheck(
  db: Db,
  { now, dueBefore, abandonedBefore }: { now: Date; dueBefore: Date; abandonedBefore: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('auditChecks')
    .values({ id, startedAt: now, finishedAt: null, findings: null, head: null })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ startedAt: now, finishedAt: null })
        .where((eb) =>
          eb.or([
            eb.and([
              eb('auditChecks.finishedAt', 'is not', null),
              eb('auditChecks.startedAt', '<=', dueBefore),
            ]),
            eb.and([
              eb('auditChecks.finishedAt', 'is', null),
              eb('auditChecks.startedAt', '<=', abandonedBefore),
            ]),
          ]),
        ),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The last daily check; undefined before the first. */
export const findAuditCheck = (db: Db) =>
  db.selectFrom('auditChecks').selectAll().where('id', '=', id).executeTakeFirst()

export async function finishAuditCheck(
  db: Db,
  { now, findings, head }: { now: Date; findings: number; head: string | null },
): Promise<void> {
  await db.updateTable('auditChecks').set({ finishedAt: now, findings, head }).where('id', '=', id).execute()
}

/**
 * Replaces the result of the last daily check by that of a later check. Leaves a check that is
 * running alone: it saves its own.
 */
export async function replaceAuditResult(
  db: Db,
  { findings, head }: { findings: number; head: string | null },
): Promise<void> {
  await db
    .updateTable('auditChecks')
    .set({ findings, head })
    .where('id', '=', id)
    .where('finishedAt', 'is not', null)
    .execute()
}
