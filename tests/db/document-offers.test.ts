import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import type { Db } from '#db/engine/client.ts'
import { countOffers } from '#db/search/count-offers.ts'
import { documentIds } from '#db/search/document-ids.ts'
import { rebuildSearch } from '#db/search/rebuild-search.ts'
import { exactly } from '#domain/search/match.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { untilWaiting } from '#tests/support/lock-waits.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const limit = 100

async function addMedicine(db: Db) {
  const id = await addProduct(db, { name: 'Zzyvax', category: 'OTC' })
  const variantId = await addVariant(db, {
    productId: id,
    dosageForm: 'tablet',
    priceCents: 1000,
    inStock: true,
  })
  await refreshProductSummaries(db, [id])
  return { id, variantId }
}

const match = [[exactly('zzyvax')]]
const count = (db: Db) => countOffers(db, { match, among: null }, limit)
const group = { category: 'OTC', pharmacyId: null, offers: 'tablet+2', products: 1 }

async function sellOut(db: Db, { id, variantId }: { id: string; variantId: string }): Promise<void> {
  await db.updateTable('productVariants').set({ inStock: false }).where('id', '=', variantId).execute()
  await refreshProductSummaries(db, [id])
}

eachEngine((_engine, openDb) => {
  test('the counts of a match follow what its products offer', async () => {
    const db = await openDb()
    const medicine = await addMedicine(db)
    await rebuildSearch(db)
    expect(await count(db)).toEqual([group])
    await sellOut(db, medicine)
    expect(await count(db)).toEqual([{ ...group, offers: 'tablet-2' }])
    await db.updateTable('products').set({ category: 'Rx' }).where('id', '=', medicine.id).execute()
    expect(await count(db)).toEqual([{ ...group, category: 'Rx', offers: 'tablet-2' }])
  })

  test('counts are those of the products among which a search looks', async () => {
    const db = await openDb()
    const [first] = [await addMedicine(db), await addMedicine(db)]
    await rebuildSearch(db)
    expect(await count(db)).toEqual([{ ...group, products: 2 }])
    const among = await documentIds(db, [first.id])
    expect(await countOffers(db, { match, among }, limit)).toEqual([group])
    expect(await countOffers(db, { match, among: [] }, limit)).toEqual([])
    expect(await countOffers(db, { match, among: null }, 1)).toEqual([group])
  })

  test('a document that has no offers yet is counted by its product', async () => {
    const db = await openDb()
    await addMedicine(db)
    await rebuildSearch(db)
    await sql`update product_documents set offer_group = null`.execute(db)
    expect(await count(db)).toEqual([group])
  })

  test('a sale during a rebuild of the search is in the counts', async () => {
    const db = await openDb()
    const medicine = await addMedicine(db)
    await rebuildSearch(db)
    let sale: Promise<void> | undefined
    await db.transaction().execute(async (tx) => {
      await rebuildSearch(tx)
      sale = db.transaction().execute((other) => sellOut(other, medicine))
      await untilWaiting(db, sale)
    })
    await sale
    expect(await count(db)).toEqual([{ ...group, offers: 'tablet-2' }])
  })
})
