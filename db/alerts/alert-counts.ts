import type { Selectable } from 'kysely'
import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export type AlertCountRow = Selectable<Schema['alertCounts']>

/** Adds to the sums of a month, in the order of their keys, so that two orders cannot deadlock. */
export async function addAlertCounts(db: Db, rows: readonly AlertCountRow[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('alertCounts')
    .values(rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.columns(['month', 'kind', 'list', 'grade', 'level']).doUpdateSet((eb) => ({
        shown: eb('alertCounts.shown', '+', eb.ref('excluded.shown')),
        confirmed: eb('alertCounts.confirmed', '+', eb.ref('excluded.confirmed')),
        overridden: eb('alertCounts.overridden', '+', eb.ref('excluded.overridden')),
        refused: eb('alertCounts.refused', '+', eb.ref('excluded.refused')),
      })),
    )
    .execute()
}

const keyOf = ({ month, kind, list, grade, level }: AlertCountRow): string =>
  [month, kind, list, grade, level].join('\n')

/** The sums since a month (`YYYY-MM`), by rule and level. */
export const sumAlertCounts = (db: Db, since: string): Promise<Omit<AlertCountRow, 'month'>[]> =>
  db
    .selectFrom('alertCounts')
    .select((eb) => [
      'kind',
      'list',
      'grade',
      'level',
      eb.cast<number>(eb.fn.sum('shown'), 'integer').as('shown'),
      eb.cast<number>(eb.fn.sum('confirmed'), 'integer').as('confirmed'),
      eb.cast<number>(eb.fn.sum('overridden'), 'integer').as('overridden'),
      eb.cast<number>(eb.fn.sum('refused'), 'integer').as('refused'),
    ])
    .where('month', '>=', since)
    .groupBy(['kind', 'list', 'grade', 'level'])
    .orderBy('kind')
    .orderBy('list')
    .orderBy('grade')
    .orderBy('level')
    .execute()
