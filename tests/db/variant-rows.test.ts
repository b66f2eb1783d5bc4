import type { Db } from '#db/engine/client.ts'
import { listVariantRows } from '#db/catalog/variant-rows.ts'
import { variantQuerySchema, type VariantQuery } from '#domain/catalog/variant-grid.ts'
import { parseCursor } from '#domain/grid.ts'
import { eachEngine, onEngine } from '#tests/support/engines.ts'
import { explainPostgres, mostRows } from '#tests/support/explain.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'

/** More than any page shows. */
const manyVariants = 1500

/** Moves variants of many products to the one whose name comes first. */
async function fillFirstProduct(db: Db): Promise<void> {
  await sql`update product_variants
    set product_id = (select id from products order by sort_name, id limit 1)
    where id in (select id from product_variants order by id limit ${manyVariants})`.execute(db)
  await sql`update products set variant_count =
    (select count(*) from product_variants v where v.product_id = products.id and v.deleted_at is null)`.execute(
    db,
  )
}

const inNameOrder = (db: Db) =>
  db
    .selectFrom('productVariants as v')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .select(['v.id', 'p.category', 'v.inStock'])
    .where('v.deletedAt', 'is', null)
    .where('p.deletedAt', 'is', null)
    .orderBy('p.sortName')
    .orderBy('v.id')
    .execute()

/** The ids of all pages, in the order in which they are read. */
async function readPages(db: Db, query: VariantQuery, by: 'next' | 'previous'): Promise<string[][]> {
  const page = await listVariantRows(db, query, null)
  const ids = page.rows.map(({ id }) => id)
  const cursor = page[by] ?? undefined
  if (cursor === undefined) return [ids]
  const from = parseCursor(cursor)
  const beyond = by === 'next' ? { after: from } : { before: from }
  return [ids, ...(await readPages(db, { ...query, last: undefined, ...beyond }, by))]
}

eachEngine((_engine, openDb) => {
  describe('variants by product', () => {
    let db: Db
    let all: Awaited<ReturnType<typeof inNameOrder>>
    beforeAll(async () => {
      db = await openDb('demo')
      await fillFirstProduct(db)
      all = await inNameOrder(db)
    })

    test.each([
      { filters: {}, matches: () => true },
      { filters: { category: 'Rx' }, matches: ({ category }: { category: string }) => category === 'Rx' },
      { filters: { stock: 'in' }, matches: ({ inStock }: { inStock: boolean }) => inStock },
    ])('the pages of $filters hold each variant once, in both directions', async ({ filters, matches }) => {
      const expected = all.filter(matches).map(({ id }) => id)
      expect(expected.length).toBeGreaterThan(1000)
      const read = (params: object, by: 'next' | 'previous') =>
        readPages(db, variantQuerySchema.parse({ ...filters, size: 500, ...params }), by)
      expect((await read({}, 'next')).flat()).toEqual(expected)
      expect((await read({ last: '1' }, 'previous')).toReversed().flat()).toEqual(expected)
      expect((await read({ dir: 'desc' }, 'next')).flat()).toEqual(expected.toReversed())
    })

    test('the total follows a change of the catalog', async () => {
      const db = await openDb('demo')
      const query = variantQuerySchema.parse({})
      const { total } = await listVariantRows(db, query, null)
      expect(total).toBe((await inNameOrder(db)).length)
      const [last] = await db
        .updateTable('products')
        .set({ deletedAt: new Date() })
        .where('id', '=', (eb) =>
          eb.selectFrom('products').select('id').where('variantCount', '>', 0).orderBy('id', 'desc').limit(1),
        )
        .returning('variantCount')
        .execute()
      expect((await listVariantRows(db, query, null)).total).toBe(total - (last?.variantCount ?? 0))
    })
  })
})

onEngine('postgres', (openDb) => {
  test('a page reads no more variants of a product than it can show', async () => {
    const db = await openDb('demo')
    await fillFirstProduct(db)
    await sql`vacuum analyze products, product_variants`.execute(db)
    const query = variantQuerySchema.parse({ size: 50 })
    // Also prepares the statements whose parameters come later, which can't be explained.
    const ids = (await readPages(db, { ...query, size: 500 }, 'next')).flat()
    const product = await db.selectFrom('products').select('sortName').orderBy('sortName').executeTakeFirst()
    const cursor = { value: product?.sortName ?? '', id: ids[1000] ?? '' }
    for (const from of [{}, { after: cursor }, { before: cursor }, { dir: 'desc', after: cursor } as const]) {
      const plans = await explainPostgres(db, (explained) =>
        listVariantRows(explained, { ...query, ...from }, null),
      )
      const [page = ''] = plans.filter((plan) => plan.includes('SubPlan'))
      expect(page).toContain('product_variants_in_order')
      expect(mostRows(page)).toBeLessThan(2 * 50)
    }
  })
})
