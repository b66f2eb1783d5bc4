import type { Selectable } from 'kysely'
import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export type RunRow = Selectable<Schema['runs']>

/** Stores the newest runs. A failure leaves the last success as it is, and the other way round. */
export async function saveRuns(db: Db, rows: readonly RunRow[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('runs')
    // In the order of their keys, so that two processes cannot deadlock.
    .values(rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'name']).doUpdateSet((eb) => ({
        succeededAt: eb.fn.coalesce('excluded.succeededAt', 'runs.succeededAt'),
        failedAt: eb.fn.coalesce('excluded.failedAt', 'runs.failedAt'),
        failure: eb.fn.coalesce('excluded.failure', 'runs.failure'),
        summary: eb.fn.coalesce('excluded.summary', 'runs.summary'),
        durationMs: eb.ref('excluded.durationMs'),
      })),
    )
    .execute()
}

const keyOf = ({ kind, name }: RunRow): string => `${kind}\n${name}`

/** Deletes the runs of jobs that this version does not have: no later run would update them. */
export async function deleteOtherJobs(db: Db, names: readonly string[]): Promise<void> {
  await db.deleteFrom('runs').where('kind', '=', 'job').where('name', 'not in', names).execute()
}

export const listRuns = (db: Db): Promise<RunRow[]> =>
  db.selectFrom('runs').selectAll().orderBy('kind').orderBy('name').execute()
