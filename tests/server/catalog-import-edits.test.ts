import type { Db } from '#db/engine/client.ts'
import { lockProducts } from '#db/catalog/catalog-edit.ts'
import { lockVariants } from '#db/inventory/lock-variants.ts'
import { deleteProduct } from '#server/catalog/delete-product.ts'
import { listVariantsPage } from '#server/catalog/list-products.ts'
import { updateManufacturer } from '#server/catalog/save-manufacturer.ts'
import { updateVariant } from '#server/catalog/update-variant.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { eachEngine, onEngine } from '#tests/support/engines.ts'
import { countWaiting } from '#tests/support/lock-waits.ts'
import { expect, test } from 'vitest'
import { genericRow, nadacFile, ndcFile, ndcRow, upcFile, upcRow } from './catalog-import-rows.ts'
import { runImport } from './catalog-import-support.ts'

const variantOf = (db: Db, catalogKey: string) =>
  db.selectFrom('productVariants').selectAll().where('catalogKey', '=', catalogKey).executeTakeFirstOrThrow()

/** A second package of the generic, farther from the brand's. */
const largeRow = (change: Record<string, string> = {}) =>
  genericRow({
    package_ndc: '68180-352-09',
    package_description: '90 TABLET, FILM COATED in 1 BOTTLE (68180-352-09)',
    ...change,
  })

eachEngine((_, openDb) => {
  test('imported rows with an admin’s name of a manufacturer keep that manufacturer', async () => {
    const db = await openDb()
    await runImport(db, [ndcFile(ndcRow())])
    const { manufacturerId } = await variantOf(db, 'ndc:0049-4900-30')
    await updateManufacturer(asAdmin(db), { id: manufacturerId ?? '', name: 'Viatris' })
    await runImport(db, [ndcFile(ndcRow(), genericRow({ labeler: 'VIATRIS' }))])
    expect(await variantOf(db, 'ndc:68180-352-06')).toMatchObject({ manufacturerId })
  })

  test('links that an admin chose stay when a row changes nothing that they depend on', async () => {
    const db = await openDb()
    await runImport(db, [ndcFile(ndcRow(), genericRow(), largeRow())])
    const { id: chosen, productId } = await variantOf(db, 'ndc:68180-352-09')
    const { id: brand } = await variantOf(db, 'ndc:0049-4900-30')
    const own = await addVariant(db, { productId, brandName: 'Ours', linkedVariantId: chosen })
    await updateVariant(asAdmin(db), brand, { linkedVariantId: chosen })
    const links = async () =>
      db.selectFrom('productVariants').select('linkedVariantId').where('id', 'in', [brand, own]).execute()

    const reworded = largeRow({ labeler: 'Lupin Pharma', dosage_form: 'TABLET, COATED' })
    await runImport(db, [ndcFile(ndcRow({ labeler: 'Viatris' }), reworded)])
    expect(await links()).toEqual([{ linkedVariantId: chosen }, { linkedVariantId: chosen }])
    // With another strength, it is no generic of them.
    await runImport(db, [ndcFile(largeRow({ strength: '100', strength_display: '100 mg' }))])
    expect((await links()).map(({ linkedVariantId }) => linkedVariantId)).not.toContain(chosen)
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

  test('an NDC that a changed row replaces no longer finds the variant; its UPC still does', async () => {
    const db = await openDb()
    await runImport(db, [ndcFile(ndcRow()), upcFile(upcRow())])
    const { id } = await variantOf(db, 'ndc:0049-4900-30')
    await updateVariant(asAdmin(db), id, { ndc: '0049-4900-31', din: '02240485' })
    await runImport(db, [ndcFile(ndcRow({ labeler: 'Viatris' }))])
    const identifiers = await db
      .selectFrom('variantIdentifiers')
      .select('value')
      .where('variantId', '=', id)
      .orderBy('value')
      .execute()
    expect(identifiers.map(({ value }) => value)).toEqual(['00049490030', '0049-4900-30', '300494900306'])
  })
})

onEngine('postgres', (openDb) => {
  /** Imports files while a sale locks two rows: the second when the import waits for the first. */
  async function importDuring(
    db: Db,
    lock: (tx: Db, id: string) => Promise<unknown>,
    [first, second]: readonly { id: string }[],
    files: Parameters<typeof runImport>[1],
  ): Promise<Awaited<ReturnType<typeof runImport>>> {
    const { imported } = await db.transaction().execute(async (tx) => {
      await lock(tx, first?.id ?? '')
      const imported = runImport(db, files)
      await expect.poll(() => countWaiting(db)).toBe(1)
      await lock(tx, second?.id ?? '')
      return { imported }
    })
    return imported
  }
  const lockVariant = (tx: Db, id: string) => lockVariants(tx, [id])
  const lockProduct = (tx: Db, id: string) => lockProducts(tx, [id])
  const variantsById = (db: Db) =>
    db.selectFrom('productVariants').select(['id', 'ndc']).orderBy('id').execute()

  test('an import does not deadlock with a sale of two of its variants', async () => {
    const db = await openDb()
    await runImport(db, [ndcFile(genericRow(), largeRow())])
    const variants = await variantsById(db)
    const changed = variants
      .toReversed()
      .map(({ ndc }) => genericRow({ package_ndc: ndc ?? '', labeler: 'Lupin Pharma' }))
    expect(await importDuring(db, lockVariant, variants, [ndcFile(...changed)])).toMatchObject({ changed: 2 })
  })

  test('an import does not deadlock with a sale of two of its products', async () => {
    const db = await openDb()
    const rows = ['SERTRALINE', 'FLUOXETINE'].map((substances, i) =>
      genericRow({ substances, package_ndc: `68180-352-0${i}` }),
    )
    await runImport(db, [ndcFile(...rows)])
    const products = await db.selectFrom('products').select(['id', 'ingredients']).orderBy('id').execute()
    const changed = products
      .toReversed()
      .flatMap(({ ingredients }) =>
        rows.filter(({ substances }) => substances === ingredients?.toUpperCase()),
      )
      .map((row) => ({ ...row, labeler: 'Lupin Pharma' }))
    expect(await importDuring(db, lockProduct, products, [ndcFile(...changed)])).toMatchObject({ changed: 2 })
  })

  test('an import of prices does not deadlock with a sale of two variants that it prices', async () => {
    const db = await openDb()
    // The first one is the last by its key, which is the order of the prices.
    await runImport(db, [ndcFile(largeRow(), genericRow())])
    const prices = nadacFile({
      drug_term: 'Sertraline HCl 50mg Tablet',
      nadac_per_unit_usd: '0.03000',
      pricing_unit: 'EA',
    })
    const report = await importDuring(db, lockVariant, await variantsById(db), [prices])
    expect(report).toMatchObject({ changed: 1 })
  })
})
