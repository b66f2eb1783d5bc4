import type { Category } from '#domain/catalog/catalog.ts'
import { sql } from 'kysely'
import { perCatalog } from '../catalog/catalog-memo.ts'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'

const order = {
  forwards: sql`sales_order, sort_name, id`,
  backwards: sql`sales_order desc, sort_name desc, id desc`,
}
type Direction = keyof typeof order

const pageQuery = (direction: Direction, filtered: boolean) =>
  prepareQuery((db, p: Params<{ offset: number; limit: number; category: Category }>) =>
    db
      .selectFrom('products')
      .select('id')
      .where('deletedAt', 'is', null)
      .$if(filtered, (query) => query.where('category', '=', p.category))
      .orderBy(order[direction])
      .limit(p.limit)
      .offset(p.offset),
  )
const pages = {
  forwards: { all: pageQuery('forwards', false), filtered: pageQuery('forwards', true) },
  backwards: { all: pageQuery('backwards', false), filtered: pageQuery('backwards', true) },
}

const countQuery = (filtered: boolean) =>
  prepareQuery((db, p: Params<{ category: Category }>) =>
    db
      .selectFrom('products')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('deletedAt', 'is', null)
      .$if(filtered, (query) => query.where('category', '=', p.category)),
  )
const counts = { all: countQuery(false), filtered: countQuery(true) }

const totals = {
  all: perCatalog(async (db) => (await counts.all(db, { category: 'Rx' }))[0]?.total ?? 0),
  Rx: perCatalog(async (db) => (await counts.filtered(db, { category: 'Rx' }))[0]?.total ?? 0),
  OTC: perCatalog(async (db) => (await counts.filtered(db, { category: 'OTC' }))[0]?.total ?? 0),
}

/** The number of listed products. */
export const countProducts = (db: Db, category: Category | null): Promise<number> =>
  totals[category ?? 'all'](db)

/**
 * The ids of a page of the list in its order. A page past the middle is counted from the end, so
 * that the last page costs as little as the first, and the middle one at most half of the index.
 */
export async function listProductIds(
  db: Db,
  {
    category,
    offset,
    limit,
    total,
  }: { category: Category | null; offset: number; limit: number; total: number },
): Promise<string[]> {
  const length = Math.min(limit, total - offset)
  if (length <= 0) return []
  const fromEnd = total - offset - length
  const direction: Direction = fromEnd < offset ? 'backwards' : 'forwards'
  const page = category ? pages[direction].filtered : pages[direction].all
  const rows = await page(db, {
    offset: direction === 'backwards' ? fromEnd : offset,
    limit: length,
    category: category ?? 'Rx',
  })
  const ids = rows.map(({ id }) => id)
  return direction === 'backwards' ? ids.reverse() : ids
}
