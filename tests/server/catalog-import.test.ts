import type { Db } from '#db/engine/client.ts'
import { fold } from '#domain/text.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { recallReport } from '#tests/support/recall-reports.ts'
import { importRecalls } from '#tests/support/recalls.ts'
import { findStockFaults } from '#tests/support/stock-faults.ts'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  dpdFile,
  dpdRow,
  genericRow,
  nadacFile,
  ndcFile,
  ndcRow,
  upcFile,
  upcRow,
  type Row,
} from './catalog-import-rows.ts'
import { allSamples, exactState, runImport, samples, seededRandom } from './catalog-import-support.ts'
import { recallFile } from './recall-file-support.ts'

function readRows(path: string): Row[] {
  const [header = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
  const columns = header.split('\t')
  return lines.map((line) =>
    Object.fromEntries(line.split('\t').map((value, i) => [columns[i] ?? '', value])),
  )
}

const variantOf = (db: Db, catalogKey: string) =>
  db
    .selectFrom('productVariants as v')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .leftJoin('manufacturers as m', 'm.id', 'v.manufacturerId')
    .selectAll('v')
    .select([
      'p.name as productName',
      'p.catalogKey as productKey',
      'p.category',
      'p.ingredients',
      'p.controlledSchedule as schedule',
      'm.name as manufacturerName',
    ])
    .where('v.catalogKey', '=', catalogKey)
    .executeTakeFirstOrThrow()

eachEngine((_, openDb) => {
  test('200 random imported rows match their source lines', async () => {
    const db = await openDb()
    const report = await runImport(db, allSamples)
    expect(report).toMatchObject({ read: 2887, rejected: 0, fileErrors: [] })

    const random = seededRandom(20150122)
    const american = readRows(samples.ndc).map((row) => ({ row, key: `ndc:${row['package_ndc']}` }))
    const canadian = readRows(samples.dpd).map((row) => ({ row, key: `din:${row['din']}` }))
    const chosen = [...american, ...canadian]
      .map((source) => ({ source, place: random() }))
      .sort((a, b) => a.place - b.place)
      .slice(0, 200)
    for (const { source } of chosen) {
      const { row, key } = source
      const variant = await variantOf(db, key)
      const isAmerican = key.startsWith('ndc:')
      // Verbatim, as published.
      expect(variant).toMatchObject({
        ndc: isAmerican ? row['package_ndc'] : null,
        din: isAmerican ? null : row['din'],
        labelStrength: row['strength_display'] || null,
        labelForm: row['dosage_form'] || null,
        labelPack: row[isAmerican ? 'package_description' : 'package_information'] || null,
        applicationNumber: /^(A?NDA|BLA)\d{6}$/.exec(row['application_number'] ?? '')?.[0] ?? null,
        category: row['product_type'] === 'OTC' ? 'OTC' : 'Rx',
      })
      // In another form, the same data: manufacturer, brand, ingredients, every number of the
      // strength, the schedule.
      // A manufacturer is shown under its first spelling. "Ltd" and "Limited" are the same.
      const manufacturerWords = fold(row[isAmerican ? 'labeler' : 'company'] ?? '')
        .split(' ')
        .slice(0, 2)
      expect(fold(variant.manufacturerName ?? '')).toContain(manufacturerWords[0])
      const brand = row[isAmerican ? 'proprietary_name' : 'brand_name'] ?? ''
      if (variant.brandName !== null) expect(fold(variant.brandName)).toBe(fold(brand))
      const listed = (row[isAmerican ? 'substances' : 'ingredients'] ?? '').split('; ').filter(Boolean)
      // Water in a kit is the solvent of the powder.
      const substances = listed.filter((substance) => substance !== 'WATER')
      if (substances.length > 0 && substances.length <= 4)
        for (const substance of substances) {
          const root =
            fold(substance)
              .split(' ')
              .find((word) => word.length > 3) ?? fold(substance)
          const known = await db
            .selectFrom('productNames')
            .select('label')
            .where('productId', '=', variant.productId)
            .where('nameKey', 'like', `%${root}%`)
            .execute()
          expect(known, `${key}: ${substance}`).not.toHaveLength(0)
        }
      const numbers = [...(row['strength_display'] ?? '').matchAll(/(?:^| \/ )(\d+(?:\.\d+)?)/g)].map(
        ([, n]) => String(Number(n)),
      )
      const shown = [...variant.strength.matchAll(/\d+(?:\.\d+)?/g)].map(([n]) => String(Number(n)))
      if (listed.length === substances.length && !/ more$| each$/.test(variant.strengthUnit.padStart(6)))
        expect(shown.sort(), `${key}: ${row['strength_display']}`).toEqual(
          expect.arrayContaining(numbers.sort()),
        )
      if (row['controlled'])
        expect(variant.schedule?.toLowerCase()).toContain(row['controlled'].toLowerCase())
      if (
        isAmerican &&
        /^\d+$/.test(row['package_size'] ?? '') &&
        /^(?:TABLET|CAPSULE|mL|g$)/.test(row['package_unit'] ?? '')
      )
        expect(variant.packageSize, key).toBe(Number(row['package_size']))
    }
  })

  test('importing the same files again changes nothing', async () => {
    const db = await openDb()
    await runImport(db, allSamples, { stock: 5 })
    const before = await exactState(db)
    const again = await runImport(db, allSamples, { stock: 5, now: new Date('2026-02-01T00:00:00Z') })
    expect(again).toMatchObject({ read: 2887, added: 0, changed: 0, unchanged: 2887, rejected: 0 })
    expect(await exactState(db)).toBe(before)
  })

  test('a changed row updates its variant; price, stock, description and SKU set by an admin stay', async () => {
    const db = await openDb()
    await runImport(db, [ndcFile(ndcRow(), genericRow())], { stock: 7 })
    await db
      .updateTable('productVariants')
      .set({ priceCents: 1999, sku: 'Z-50', stockQuantity: 3 })
      .where('catalogKey', '=', 'ndc:0049-4900-30')
      .execute()
    await db.updateTable('products').set({ description: 'Written by hand.' }).execute()
    const changed = ndcRow({ strength: '100', strength_display: '100 mg', labeler: 'Pfizer' })
    const report = await runImport(db, [ndcFile(changed, genericRow())], { stock: 7 })
    expect(report).toMatchObject({ read: 2, added: 0, changed: 1, unchanged: 1 })
    expect(await variantOf(db, 'ndc:0049-4900-30')).toMatchObject({
      strength: '100',
      manufacturerName: 'Pfizer',
      priceCents: 1999,
      sku: 'Z-50',
      stockQuantity: 3,
      // Its generic now has another strength.
      linkedVariantId: null,
    })
    const product = await db.selectFrom('products').select('description').executeTakeFirstOrThrow()
    expect(product.description).toBe('Written by hand.')
  })

  test('an admin’s edit of an unchanged row survives', async () => {
    const db = await openDb()
    const file = ndcFile(ndcRow())
    await runImport(db, [file])
    await db
      .updateTable('productVariants')
      .set({ brandName: 'Zoloft (bottle)', packageUnit: 'pill' })
      .execute()
    expect(await runImport(db, [file])).toMatchObject({ changed: 0, unchanged: 1 })
    expect(await variantOf(db, 'ndc:0049-4900-30')).toMatchObject({
      brandName: 'Zoloft (bottle)',
      packageUnit: 'pill',
    })
  })

  test('a row removed from the directory stays in the catalog', async () => {
    const db = await openDb()
    await runImport(db, [ndcFile(ndcRow(), genericRow())])
    await runImport(db, [ndcFile(genericRow())])
    expect(await variantOf(db, 'ndc:0049-4900-30')).toMatchObject({ brandName: 'Zoloft', deletedAt: null })
  })

  test('US and Canadian rows form one product, with the brand linked to its generic', async () => {
    const db = await openDb()
    await runImport(db, [
      ndcFile(ndcRow(), genericRow()),
      dpdFile(dpdRow(), dpdRow({ din: '09999999', product_type: 'OTC' })),
    ])
    const brand = await variantOf(db, 'ndc:0049-4900-30')
    const generic = await variantOf(db, 'ndc:68180-352-06')
    const canadian = await variantOf(db, 'din:02240485')
    expect(brand).toMatchObject({
      productName: 'Sertraline',
      brandName: 'Zoloft',
      linkedVariantId: generic.id,
    })
    expect(generic.productId).toBe(brand.productId)
    expect(canadian).toMatchObject({
      productId: brand.productId,
      brandName: null,
      packageSize: 100,
      packageUnit: 'tablet',
    })
    // Prescription and over-the-counter are two products.
    expect((await variantOf(db, 'din:09999999')).productId).not.toBe(brand.productId)
    const names = await db
      .selectFrom('productNames')
      .select(['kind', 'label'])
      .where('productId', '=', brand.productId)
      .execute()
    expect(names).toEqual(
      expect.arrayContaining([
        { kind: 'product', label: 'Sertraline' },
        { kind: 'brand', label: 'Zoloft' },
        { kind: 'ingredient', label: 'Sertraline hydrochloride' },
        { kind: 'ingredient', label: 'Chlorhydrate de sertraline' },
      ]),
    )
    const product = await db
      .selectFrom('products')
      .selectAll()
      .where('id', '=', brand.productId)
      .executeTakeFirstOrThrow()
    expect(product).toMatchObject({
      variantCount: 3,
      dosageForms: 'tablet',
      route: 'oral',
      priceMinCents: null,
      inStock: false,
    })
  })

  test('controlled products are marked by the directory’s column, else by ingredient', async () => {
    const db = await openDb()
    await runImport(db, [
      ndcFile(
        ndcRow({
          substances: 'OXYCODONE HYDROCHLORIDE',
          nonproprietary_name: 'oxycodone',
          proprietary_name: 'Oxycodone',
        }),
      ),
      dpdFile(
        dpdRow({
          ingredients: 'OXYCODONE HYDROCHLORIDE',
          brand_name: 'OXY',
          controlled: 'NARCOTICS (CDSA I)',
        }),
        dpdRow({ din: '00000002' }),
      ),
    ])
    expect((await variantOf(db, 'din:02240485')).schedule).toBe('CSA schedule II; Narcotics (CDSA I)')
    expect((await variantOf(db, 'din:00000002')).schedule).toBeNull()
  })

  test('a UPC completes the variant of its package', async () => {
    const db = await openDb()
    const files = [ndcFile(ndcRow()), upcFile(upcRow())]
    expect(await runImport(db, files)).toMatchObject({ read: 2, added: 1, changed: 1, rejected: 0 })
    const variant = await variantOf(db, 'ndc:0049-4900-30')
    expect(variant.upc).toBe('300494900306')
    const identifiers = await db
      .selectFrom('variantIdentifiers')
      .select(['value', 'kind'])
      .where('variantId', '=', variant.id)
      .execute()
    expect(identifiers).toContainEqual({ value: '300494900306', kind: 'upc' })
    expect(await runImport(db, files)).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
  })

  test('a UPC imported before its package becomes that package', async () => {
    const db = await openDb()
    await runImport(db, [upcFile(upcRow())])
    const alone = await variantOf(db, 'upc:300494900306')
    expect(alone).toMatchObject({
      productName: 'Sertraline',
      brandName: 'Zoloft',
      dosageForm: null,
      strength: '',
    })
    await runImport(db, [ndcFile(ndcRow())])
    expect(await variantOf(db, 'ndc:0049-4900-30')).toMatchObject({
      id: alone.id,
      upc: '300494900306',
      strength: '50',
    })
    expect(await runImport(db, [upcFile(upcRow())])).toMatchObject({ added: 0, changed: 0, unchanged: 1 })
  })

  test('a UPC of an unlisted package takes form and strength from its product, else has none', async () => {
    const db = await openDb()
    await runImport(db, [
      ndcFile(ndcRow()),
      upcFile(
        upcRow({ upc: '300494900665', package_ndc: '0049-4900-66', route: 'ORAL; TOPICAL' }),
        upcRow({
          upc: '055154061209',
          package_ndc: '',
          product_ndcs: '',
          generic_name: 'APIXABAN',
          brand_name: 'ELIQUIS',
        }),
        upcRow({ upc: '055154061201' }),
      ),
    ])
    expect(await variantOf(db, 'upc:300494900665')).toMatchObject({
      productKey: 'Rx:oral:sertraline',
      dosageForm: 'tablet',
      strength: '50',
      strengthUnit: 'mg',
      ndc: '0049-4900-66',
    })
    expect(await variantOf(db, 'upc:055154061209')).toMatchObject({
      productName: 'Apixaban',
      brandName: 'Eliquis',
      dosageForm: null,
      ndc: null,
    })
    expect(
      await db.selectFrom('productVariants').select('id').where('upc', '=', '055154061201').execute(),
    ).toEqual([])
  })

  test('average costs price the matching variants that have no price', async () => {
    const db = await openDb()
    await runImport(db, [ndcFile(ndcRow(), genericRow(), genericRow({ package_ndc: '68180-352-09' }))])
    await db
      .updateTable('productVariants')
      .set({ priceCents: 2500 })
      .where('catalogKey', '=', 'ndc:68180-352-09')
      .execute()
    const file = nadacFile({
      drug_term: 'Sertraline HCl 50mg Tablet',
      nadac_per_unit_usd: '0.03000',
      pricing_unit: 'EA',
    })
    expect(await runImport(db, [file])).toMatchObject({ read: 1, changed: 1 })
    expect(await variantOf(db, 'ndc:68180-352-06')).toMatchObject({
      acquisitionCostCents: 90,
      priceCents: 513,
    })
    expect(await variantOf(db, 'ndc:68180-352-09')).toMatchObject({
      acquisitionCostCents: null,
      priceCents: 2500,
    })
    expect((await variantOf(db, 'ndc:0049-4900-30')).priceCents).toBeNull()
    const product = await db
      .selectFrom('products')
      .select(['priceMinCents', 'priceMaxCents'])
      .executeTakeFirstOrThrow()
    expect(product).toEqual({ priceMinCents: 513, priceMaxCents: 2500 })
    expect(await runImport(db, [file])).toMatchObject({ changed: 0, unchanged: 1 })
  })

  test('a new variant of which all lots are recalled gets no initial stock', async () => {
    const db = await openDb()
    const all = { code_info: 'All lots within expiry' }
    await importRecalls(asAdmin(db), recallFile(recallReport('D-0001-2026', '0049-4900-30', all)))
    const report = await runImport(db, [ndcFile(ndcRow(), genericRow())], { stock: 40 })
    expect(report).toMatchObject({ added: 2, recalled: 1, rejected: 0 })
    expect(await variantOf(db, 'ndc:0049-4900-30')).toMatchObject({ stockQuantity: 0, inStock: false })
    const { id, ...other } = await variantOf(db, 'ndc:68180-352-06')
    expect(other).toMatchObject({ stockQuantity: 40, inStock: true })
    const ledger = await db.selectFrom('inventoryTransactions').select('productVariantId').execute()
    expect(ledger).toEqual([{ productVariantId: id }])
    expect(await findStockFaults(db)).toEqual([])
  })

  test('only new variants get initial stock, with one ledger row', async () => {
    const db = await openDb()
    await runImport(db, [ndcFile(ndcRow())])
    await runImport(db, [ndcFile(ndcRow(), genericRow())], { stock: 40 })
    expect(await variantOf(db, 'ndc:0049-4900-30')).toMatchObject({ stockQuantity: 0, inStock: false })
    const stocked = await variantOf(db, 'ndc:68180-352-06')
    expect(stocked).toMatchObject({ stockQuantity: 40, inStock: true, trackInventory: true })
    const ledger = await db.selectFrom('inventoryTransactions').selectAll().execute()
    expect(ledger).toMatchObject([
      {
        productVariantId: stocked.id,
        transactionType: 'adjustment',
        quantityBefore: 0,
        quantityChange: 40,
        quantityAfter: 40,
      },
    ])
  })
})
