import type { Db } from '#db/engine/client.ts'
import { deleteProduct } from '#server/catalog/delete-product.ts'
import { listVariantsPage } from '#server/catalog/list-products.ts'
import { updateManufacturer } from '#server/catalog/save-manufacturer.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'
import { genericRow, ndcFile, ndcRow } from './catalog-import-rows.ts'
import { runImport } from './catalog-import-support.ts'

const variantOf = (db: Db, catalogKey: string) =>
  db.selectFrom('productVariants').selectAll().where('catalogKey', '=', catalogKey).executeTakeFirstOrThrow()

eachEngine((_, openDb) => {
  test('a manufacturer that an admin renamed makes the rows with its new name', async () => {
    const db = await openDb()
    await runImport(db, [ndcFile(ndcRow())])
    const { manufacturerId } = await variantOf(db, 'ndc:0049-4900-30')
    await updateManufacturer(asAdmin(db), { id: manufacturerId ?? '', name: 'Viatris' })
    await runImport(db, [ndcFile(ndcRow(), genericRow({ labeler: 'VIATRIS' }))])
    expect(await variantOf(db, 'ndc:68180-352-06')).toMatchObject({ manufacturerId })
  })

  test('a new package of a product that an admin deleted is deleted, too', async () => {
    const db = await openDb()
    await runImport(db, [ndcFile(ndcRow())])
    const { productId } = await variantOf(db, 'ndc:0049-4900-30')
    await deleteProduct(asAdmin(db), productId)
    await runImport(db, [ndcFile(ndcRow(), genericRow())])
    expect(await listVariantsPage(asAdmin(db), { after: null, limit: 10 })).toEqual([])
    const added = await variantOf(db, 'ndc:68180-352-06')
    expect(added).toMatchObject({ productId, deletedAt: (await variantOf(db, 'ndc:0049-4900-30')).deletedAt })
  })

  test('a variant that a changed row moves to a deleted product is deleted', async () => {
    const db = await openDb()
    await runImport(db, [ndcFile(ndcRow(), genericRow({ product_type: 'OTC' }))])
    await deleteProduct(asAdmin(db), (await variantOf(db, 'ndc:0049-4900-30')).productId)
    await runImport(db, [ndcFile(genericRow())])
    expect((await variantOf(db, 'ndc:68180-352-06')).deletedAt).not.toBeNull()
  })
})
