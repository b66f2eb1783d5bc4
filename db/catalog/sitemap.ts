import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'

/** A range of live products ordered by id, with values that change when one of them does. */
export type ProductRun = { last: string; count: number; updatedAt: Date; versions: number }

const runAfter = prepareQuery((db, p: Params<{ after: string; limit: number }>) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('products')
        .select(['id', 'updatedAt', 'version'])
        .where('deletedAt', 'is', null)
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(p.limit)
        .as('run'),
    )
    .select((eb) => [
      eb.fn.max<string | null>('id').as('last'),
      eb.fn.countAll<number>().as('count'),
      // SQLite does not report a column type for an expression, so this arrives as text.
      eb.fn.max<Date | string>('updatedAt').as('updatedAt'),
      eb.cast<number>(eb.fn.sum('version'), 'bigint').as('versions'),
    ]),
)

/** The next `limit` live products after an id, as one range. Null when there is none. */
export async function findProductRun(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<ProductRun | null> {
  const [run] = await runAfter(db, { after, limit })
  if (!run || run.last === null) return null
  return { last: run.last, count: run.count, updatedAt: new Date(run.updatedAt), versions: run.versions }
}

const stampsBetween = prepareQuery((db, p: Params<{ after: string; last: string; limit: number }>) =>
  db
    .selectFrom('products')
    .select(['id', 'updatedAt'])
    .where('deletedAt', 'is', null)
    .where('id', '>', p.after)
    .where('id', '<=', sql<string>`${p.last}`)
    .orderBy('id')
    .limit(p.limit),
)

/**
 * The next `limit` live products after one id and up to another, with the time of their last
 * change.
 */
export const listProductStamps = (
  db: Db,
  range: { after: string; last: string; limit: number },
): Promise<{ id: string; updatedAt: Date }[]> => stampsBetween(db, range)
