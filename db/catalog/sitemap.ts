import { sql } from 'kysely'
import { prepared, type Db, type Params } from '../engine/client.ts'

/** A run of live products in the order of their ids, and what changes when one of them does. */
export type ProductRun = { last: string; count: number; updatedAt: Date; versions: number }

const runAfter = prepared((db, p: Params<{ after: string; limit: number }>) =>
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
      // Of an expression SQLite does not say that it is a time: it comes as text there.
      eb.fn.max<Date | string>('updatedAt').as('updatedAt'),
      eb.cast<number>(eb.fn.sum('version'), 'bigint').as('versions'),
    ]),
)

/** The next `limit` live products after an id, as one run; null when there is none. */
export async function findProductRun(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<ProductRun | null> {
  const [run] = await runAfter(db, { after, limit })
  if (!run || run.last === null) return null
  return { last: run.last, count: run.count, updatedAt: new Date(run.updatedAt), versions: run.versions }
}

const stampsBetween = prepared((db, p: Params<{ after: string; last: string; limit: number }>) =>
  db
    .selectFrom('products')
    .select(['id', 'updatedAt'])
    .where('deletedAt', 'is', null)
    .where('id', '>', p.after)
    .where('id', '<=', sql<string>`${p.last}`)
    .orderBy('id')
    .limit(p.limit),
)

/** The next `limit` live products after an id and up to another, each with when it changed. */
export const listProductStamps = (
  db: Db,
  range: { after: string; last: string; limit: number },
): Promise<{ id: string; updatedAt: Date }[]> => stampsBetween(db, range)
