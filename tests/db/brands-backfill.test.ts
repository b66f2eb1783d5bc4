import type { Db } from '#db/engine/client.ts'
import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from '../../migrations/all.ts'

const listed = (db: Db) =>
  db.selectFrom('productBrands').selectAll().orderBy('brandKey').orderBy('productId').execute()

eachEngine((_engine, openDb) => {
  test('the migration backfills the same brands as a refresh writes', async () => {
    const db = await openDb()
    const first = await addProduct(db)
    const second = await addProduct(db)
    const deleted = await addProduct(db, { deletedAt: new Date() })
    for (const brandName of ['Advil', 'ADVIL', 'ADVIL', 'Éxtra-Strong', '3TC', '***', '', null, 'Zonal'])
      await addVariant(db, { productId: first, brandName })
    await addVariant(db, { productId: first, brandName: 'Gone', deletedAt: new Date() })
    await addVariant(db, { productId: second, brandName: 'Advil', inStock: false, stockQuantity: 0 })
    await addVariant(db, { productId: second, brandName: 'ADVIL', priceCents: null })
    await addVariant(db, { productId: second, brandName: 'Advil ', dosageForm: null })
    await addVariant(db, { productId: deleted, brandName: 'Deleted' })

    await sql`drop table product_brands`.execute(db)
    await sql`drop index products_by_id`.execute(db)
    await migrations['0007-brands']?.up(db)
    const backfilled = await listed(db)
    expect(backfilled.map(({ brandKey, letter }) => `${letter} ${brandKey}`)).toEqual([
      'other ***',
      'other 3tc',
      'A advil',
      'A advil',
      'E extra strong',
      'Z zonal',
    ])

    await db.deleteFrom('productBrands').execute()
    await refreshProductSummaries(db, [first, second, deleted])
    expect(await listed(db)).toEqual(backfilled)
  })
})
