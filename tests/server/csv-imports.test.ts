import type { Db } from '#db/engine/client.ts'
import { importLineQuerySchema } from '#domain/catalog/import-lines.ts'
import { newId } from '#domain/ids.ts'
import { fold } from '#domain/text.ts'
import { getImport, listImportLines } from '#server/catalog/csv/get-import.ts'
import { applyImport } from '#server/catalog/csv/start-import.ts'
import { updateVariant } from '#server/catalog/update-variant.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { searchProducts } from '#server/search/search-products.ts'
import { admin, asAdmin } from '#tests/support/admin.ts'
import { testDay } from '#tests/support/catalog.ts'
import { testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { ledgerOf } from '#tests/support/ledger.ts'
import { recallReport } from '#tests/support/recall-reports.ts'
import { importRecalls } from '#tests/support/recalls.ts'
import { findStockFaults } from '#tests/support/stock-faults.ts'
import { expect, test } from 'vitest'
import {
  applyWhole,
  createTwoVariants,
  errorMessageOf,
  linesOf,
  uploadAndCheck,
  variantOf,
} from './csv-import-support.ts'
import { recallFile } from './recall-file-support.ts'

const everything = async (db: Db) => ({
  variants: await db.selectFrom('productVariants').selectAll().orderBy('id').execute(),
  ledger: await ledgerOf(db, null),
  changes: await db.selectFrom('catalogChanges').selectAll().orderBy('id').execute(),
})

eachEngine((_engine, openDb) => {
  test('the check shows what each line would do and changes nothing', async () => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    const before = await everything(db)
    const id = await uploadAndCheck(
      db,
      [
        'SKU,NDC,Price,Stock',
        'A-1,,6.50,12',
        'A-2,,5.00,',
        ',00228-2899-96,5,10',
        'A-9,,1.00,1',
        'A-2,,12.345,-1',
        'A-2,0228-2899-96,1.00,1',
        ',,1.00,1',
        'A-2,,1.00',
      ].join('\n'),
    )
    expect(await linesOf(db, id)).toMatchObject([
      {
        line: 2,
        outcome: 'changed',
        variantId: first.id,
        name: 'Ibuprofen: Advil, 200 mg, 24 tablets',
        changes: [
          { field: 'Price', before: '$5.00', after: '$6.50' },
          { field: 'Stock quantity', before: '10', after: '12' },
        ],
      },
      { line: 3, outcome: 'unchanged' },
      { line: 4, outcome: 'refused', problem: 'Line 2 is for the same variant.' },
      { line: 5, outcome: 'refused', problem: 'No variant has SKU A-9.' },
      {
        line: 6,
        outcome: 'refused',
        problem: 'Price: Enter a dollar amount like "12.50".\nStock quantity: Enter 0 or more.',
      },
      { line: 7, outcome: 'refused', problem: 'NDC and SKU match different variants.' },
      { line: 8, outcome: 'refused', problem: 'No column identifies the variant: ID, NDC, DIN, UPC or SKU.' },
      { line: 9, outcome: 'refused', problem: 'This line has 3 cells, but the header has 4.' },
    ])
    expect(await getImport(asAdmin(db), id)).toMatchObject({
      status: 'checked',
      counts: { added: 0, changed: 1, unchanged: 1, refused: 6 },
    })
    expect(await everything(db)).toEqual(before)
  })

  test('the check counts and lists lines that change a package’s identity or its price tenfold', async () => {
    const db = await openDb()
    const { first, second } = await createTwoVariants(db)
    const check = (lines: string) => uploadAndCheck(db, `SKU,NDC,DIN,Strength,Price\n${lines}`)
    const id = await check('A-1,0228-2900-96,,400,\nA-2,0228-2901-96,,,50')
    const packageWarning =
      'This changes the strength and NDC. Packages in stock and orders stay as they are. A recall that names the earlier NDC won’t find them. To sell a different package, add a variant instead.'
    expect(await linesOf(db, id)).toMatchObject([
      { variantId: first.id, outcome: 'changed', warning: packageWarning },
      {
        variantId: second.id,
        outcome: 'changed',
        warning: 'The new price is about 10 times the current price. Check it for a typo.',
      },
    ])
    const other = await check('A-1,,,,6.50\nA-2,,559407,,0.50')
    const lower = 'The new price is about 1/10 of the current price. Check it for a typo.'
    expect(await linesOf(db, other)).toMatchObject([{ warning: null }, { warning: lower }])
    expect(await getImport(asAdmin(db), other)).toMatchObject({ warned: 1, counts: { changed: 2 } })
    const query = importLineQuerySchema.parse({ outcome: 'warned' })
    expect(await listImportLines(asAdmin(db), other, query)).toMatchObject({
      total: 1,
      rows: [{ line: 3, warning: lower }],
    })
    await applyWhole(db, other, { leavesOut: false })
    expect(await getImport(asAdmin(db), other)).toMatchObject({ status: 'applied', warned: 1 })
    const free = 'The new price is $0.00. Check it for a typo.'
    expect(await linesOf(db, await check('A-1,,,,0\nA-2,,,,0.00'))).toMatchObject([
      { warning: free },
      { warning: free },
    ])
  })

  test('a new variant with a price of 0 has a warning and is listed to check', async () => {
    const db = await openDb()
    const { productId } = await createTwoVariants(db)
    const row = (sku: string, price: string) => `${productId},${sku},500,mg,30,tablet,${price}`
    const header = 'Product,SKU,Strength,Strength unit,Package size,Package unit,Price'
    const id = await uploadAndCheck(db, [header, row('B-1', '0.00'), row('B-2', '5')].join('\n'), {
      adds: true,
    })
    const warning = 'The new price is $0.00. Check it for a typo.'
    expect(await linesOf(db, id)).toMatchObject([
      { line: 2, outcome: 'added', warning },
      { line: 3, outcome: 'added', warning: null },
    ])
    expect(await getImport(asAdmin(db), id)).toMatchObject({ warned: 1, counts: { added: 2 } })
    const query = importLineQuerySchema.parse({ outcome: 'warned' })
    expect(await listImportLines(asAdmin(db), id, query)).toMatchObject({
      total: 1,
      rows: [{ line: 2, warning }],
    })
  })

  test('a flag is yes or no, as exports write it, or true or false', async () => {
    const db = await openDb()
    await createTwoVariants(db)
    const check = async (flag: string) =>
      linesOf(db, await uploadAndCheck(db, `SKU,In stock,Track inventory\nA-1,${flag},${flag}\n`))
    for (const flag of ['no', 'No', 'false', 'FALSE'])
      expect(await check(flag), flag).toMatchObject([{ outcome: 'changed' }])
    for (const flag of ['yes', 'true'])
      expect(await check(flag), flag).toMatchObject([{ outcome: 'unchanged' }])
    expect(await check('maybe')).toMatchObject([
      { outcome: 'refused', problem: 'In stock, Track inventory: This must be yes or no.' },
    ])
  })

  test('ten bare digits of an NDC neither add the package again nor replace its NDC', async () => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    const id = await uploadAndCheck(
      db,
      ['SKU,NDC,Price', ',0228289996,5', 'A-1,0228289996,6.50'].join('\n'),
      {
        adds: true,
      },
    )
    expect(await linesOf(db, id)).toMatchObject([
      {
        line: 2,
        outcome: 'refused',
        problem: 'NDC: Ten digits can match several packages. Add the hyphens or use 11 digits.',
      },
      { line: 3, outcome: 'changed', variantId: first.id, changes: [{ field: 'Price' }] },
    ])
  })

  test('a file adds no units in no lot to a package of which all lots are recalled', async () => {
    const db = await openDb()
    const { first, second } = await createTwoVariants(db)
    const text = [
      'sku,product,ndc,strength,strength unit,package size,package unit,price,stock',
      'A-1,,,,,,,6.50,11',
      'A-2,,0228-2899-11,,,,,,4',
      'A-3,Ibuprofen,0228-2899-12,400,mg,30,tablet,9.99,3',
    ].join('\n')
    const before = await uploadAndCheck(db, text, { adds: true })
    const lower = await uploadAndCheck(db, 'sku,price,stock\nA-1,7.50,9\n')
    const reports = ['0228-2899-96', '0228-2899-11', '0228-2899-12'].map((ndc, i) =>
      recallReport(`D-000${i + 1}-2026`, ndc, { code_info: 'All lots within expiry' }),
    )
    await importRecalls(asAdmin(db), recallFile(...reports))
    await db.updateTable('productVariants').set({ stockQuantity: 10 }).where('id', '=', first.id).execute()
    const problem = expect.stringMatching(/D-000[123]-2026 is for all lots of this package/)
    const refused = ['refused', problem]
    const checked = await linesOf(db, await uploadAndCheck(db, text, { adds: true }))
    expect(checked.map((line) => [line.outcome, line.problem])).toEqual([refused, refused, refused])
    // A recall that was imported after the check counts too.
    await applyWhole(db, before, { leavesOut: false })
    expect((await linesOf(db, before)).map((line) => [line.isApplied, line.problem])).toEqual([
      [false, problem],
      [false, problem],
      [false, problem],
    ])
    await applyWhole(db, lower, { leavesOut: false })
    expect(await variantOf(db, first.id)).toMatchObject({ priceCents: 750, stockQuantity: 9 })
    expect(await variantOf(db, second.id)).toMatchObject({ stockQuantity: 0, ndc: null })
  })

  test('a file puts no package without stock tracking on sale while all its lots are recalled', async () => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    await db
      .updateTable('productVariants')
      .set({ trackInventory: false, inStock: false })
      .where('id', '=', first.id)
      .execute()
    const text = [
      'sku,product,ndc,strength,strength unit,package size,package unit,price,track inventory,in stock',
      'A-1,,,,,,,6.50,,yes',
      'A-3,Ibuprofen,0228-2899-12,400,mg,30,tablet,9.99,no,',
    ].join('\n')
    const before = await uploadAndCheck(db, text, { adds: true })
    expect((await linesOf(db, before)).map(({ outcome }) => outcome)).toEqual(['changed', 'added'])
    const reports = ['0228-2899-96', '0228-2899-12'].map((ndc, i) =>
      recallReport(`D-000${i + 1}-2026`, ndc, { code_info: 'All lots within expiry' }),
    )
    await importRecalls(asAdmin(db), recallFile(...reports))
    const problem = expect.stringMatching(/^In stock: Recall D-000[12]-2026 .* can’t be in stock/)
    const checked = await linesOf(db, await uploadAndCheck(db, text, { adds: true }))
    expect(checked.map((line) => line.problem)).toEqual([problem, problem])
    await applyWhole(db, before, { leavesOut: false })
    const unsaid = expect.stringMatching(/can’t be in stock until the recall has ended/)
    expect((await linesOf(db, before)).map((line) => [line.isApplied, line.problem])).toEqual([
      [false, unsaid],
      [false, unsaid],
    ])
    expect(await variantOf(db, first.id)).toMatchObject({ inStock: false })
  })

  test('refused lines block an import unless they are left out; then all others are applied with ledger, history and search', async () => {
    const db = await openDb()
    const { first, second, productId } = await createTwoVariants(db)
    await db
      .insertInto('manufacturers')
      .values({
        id: newId(),
        name: 'Quillco, Inc.',
        nameKey: fold('Quillco, Inc.'),
        createdAt: testDay,
        updatedAt: testDay,
      })
      .execute()
    const before = await everything(db)
    const id = await uploadAndCheck(
      db,
      [
        'sku,product,brand,manufacturer,strength,strength unit,package size,package unit,price,stock,upc',
        'A-1,,Zorbidon,quillco inc,,,,,6.50,12,',
        'A-2,ibuprofen,,,,,,,,7,36000291452',
        'A-3,Ibuprofen,Motrin,,400,mg,30,tablet,9.99,3,',
        'A-4,Nonesuch,,,1,mg,1,tablet,1.00,,',
        'A-5,Ibuprofen,,,,,0,,x,,',
      ].join('\r\n'),
      { adds: true },
    )
    expect((await linesOf(db, id)).map(({ outcome, problem }) => [outcome, problem])).toEqual([
      ['changed', null],
      ['changed', null],
      ['added', null],
      ['refused', 'Product: This product doesn’t exist.'],
      [
        'refused',
        'Strength, Strength unit, Package size, Package unit: Please fill in all required variant fields\nPrice: Enter a dollar amount like "12.50".',
      ],
    ])
    expect(await errorMessageOf(applyImport(asAdmin(db), id, { leavesOut: false }))).toBe(
      '2 lines are rejected, so nothing was applied. Correct the file or choose to skip them.',
    )
    expect(await everything(db)).toEqual(before)

    await applyWhole(db, id, { leavesOut: true })
    expect(await getImport(asAdmin(db), id)).toMatchObject({ status: 'applied' })
    expect(await variantOf(db, first.id)).toMatchObject({
      brandName: 'Zorbidon',
      priceCents: 650,
      stockQuantity: 12,
      strength: '200',
    })
    expect(await variantOf(db, second.id)).toMatchObject({
      upc: '036000291452',
      stockQuantity: 7,
      inStock: true,
      priceCents: 500,
    })
    const added = await db
      .selectFrom('productVariants')
      .selectAll()
      .where('sku', '=', 'A-3')
      .executeTakeFirstOrThrow()
    expect(added).toMatchObject({
      productId,
      genericName: 'Ibuprofen',
      brandName: 'Motrin',
      packageSize: 30,
      stockQuantity: 3,
      inStock: true,
    })
    expect(
      await db
        .selectFrom('products')
        .select(['variantCount', 'priceMaxCents'])
        .where('id', '=', productId)
        .executeTakeFirst(),
    ).toEqual({ variantCount: 3, priceMaxCents: 999 })
    expect(await findStockFaults(db)).toEqual([])
    const changes = await db
      .selectFrom('catalogChanges')
      .selectAll()
      .where('actorId', '=', admin.id)
      .where('variantId', 'in', [first.id, added.id])
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(changes.map(({ action, beforeFields }) => [action, beforeFields === null])).toContainEqual([
      'created',
      true,
    ])
    for (const q of ['zorbidon', '036000291452', 'quillco']) {
      const found = await searchProducts(testContext(db), { q })
      expect(found.products.map((product) => product.id)).toEqual([productId])
    }
    // A second run changes nothing.
    const again = await everything(db)
    await applyWhole(db, id, { leavesOut: true })
    expect(await everything(db)).toEqual(again)
  })

  test('a variant changed since the check is refused; a sale that the line does not touch is not a change', async () => {
    const db = await openDb()
    const { first, second } = await createTwoVariants(db)
    const id = await uploadAndCheck(db, 'SKU,Price\nA-1,6.50\nA-2,7.50')
    await updateVariant(asAdmin(db), second.id, { price: 999 })
    await adjustStock(asAdmin(db), {
      variantId: first.id,
      quantityChange: -1,
      transactionType: 'damaged',
      notes: null,
    })
    await applyWhole(db, id, { leavesOut: false })
    expect(await variantOf(db, first.id)).toMatchObject({ priceCents: 650, stockQuantity: 9 })
    expect(await variantOf(db, second.id)).toMatchObject({ priceCents: 999 })
    expect(await linesOf(db, id)).toMatchObject([
      { outcome: 'changed', isApplied: true },
      {
        outcome: 'refused',
        isApplied: false,
        problem: 'This variant has changed since the check, so the line was not applied.',
      },
    ])

    const stock = await uploadAndCheck(db, 'SKU,Stock\nA-1,50')
    await adjustStock(asAdmin(db), {
      variantId: first.id,
      quantityChange: -1,
      transactionType: 'damaged',
      notes: null,
    })
    await applyImport(asAdmin(db), stock, { leavesOut: false })
    expect(await variantOf(db, first.id)).toMatchObject({ stockQuantity: 8 })
    expect(await findStockFaults(db)).toEqual([])
  })

  test('a line with a lot counts the units of that lot, several lots to a variant', async () => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    const file = [
      'SKU,Lot,Expiry,Qty,Price',
      'A-1,l-1,2027-06,30,',
      'A-1,L-2,2027-09-15,12,',
      'A-1,L-3,2025-12-31,12,',
      'A-1,L-4,,12,',
      'A-1,L-5,2027-09-15,12,99.00',
      'A-1,L-1,2027-06-30,31,',
      'A-1,,2027-06-30,31,',
      'A-1,L-6,2206-06-30,12,',
      'A-1,\u200B,2027-06-30,31,',
      `A-1,${'x'.repeat(41)},2027-06-30,31,`,
    ].join('\n')
    const id = await uploadAndCheck(db, file)
    await applyWhole(db, id, { leavesOut: true })
    expect((await linesOf(db, id)).map(({ outcome, problem }) => problem ?? outcome)).toEqual([
      'changed',
      'changed',
      'Expiry date: This lot has expired.',
      'Expiry date: Enter the expiry date of this lot.',
      expect.stringMatching(/^Price: A line with a lot number only counts the lot/),
      'Line 2 is for the same variant.',
      'Lot number: Enter the number of the lot that has this expiry date.',
      'Expiry date: Jun 30, 2206 is more than 10 years away. Check the year.',
      'Lot number: Enter a lot number.',
      'Lot number: Enter at most 40 characters.',
    ])
    const lots = () =>
      db.selectFrom('stockLots').select(['lotNumber', 'expiresOn', 'quantity']).orderBy('lotNumber').execute()
    expect(await lots()).toEqual([
      { lotNumber: 'L-1', expiresOn: '2027-06-30', quantity: 30 },
      { lotNumber: 'L-2', expiresOn: '2027-09-15', quantity: 12 },
    ])
    expect(await variantOf(db, first.id)).toMatchObject({ stockQuantity: 52 })
    const again = await uploadAndCheck(db, 'SKU,Lot,Qty\nA-1,L-1,30\nA-1,L-2,10\nA-1,,41')
    await applyWhole(db, again, { leavesOut: true })
    expect((await linesOf(db, again)).map(({ outcome }) => outcome)).toEqual([
      'unchanged',
      'changed',
      'refused',
    ])
    expect([(await lots()).map(({ quantity }) => quantity), await findStockFaults(db)]).toEqual([
      [30, 10],
      [],
    ])
    const otherDate = await uploadAndCheck(db, 'SKU,Lot,Expiry,Qty\nA-1,L-1,2027-07-31,31')
    expect((await linesOf(db, otherDate)).map(({ problem }) => problem)).toEqual([
      'Expiry date: This lot was received with the expiry date Jun 30, 2027.',
    ])
  })

  test('a line counts the lot that was stored before lot numbers were normalized', async () => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    await applyWhole(db, await uploadAndCheck(db, 'SKU,Lot,Expiry,Qty\nA-1,L 1,2027-06,30'), {
      leavesOut: true,
    })
    await db.updateTable('stockLots').set({ lotNumber: 'L\u00A01' }).execute()
    const id = await uploadAndCheck(db, 'SKU,Lot,Qty\nA-1,l 1,25\nA-1,L\u00A01,26')
    await applyWhole(db, id, { leavesOut: true })
    expect((await linesOf(db, id)).map(({ outcome, problem }) => problem ?? outcome)).toEqual([
      'changed',
      'Line 2 is for the same variant.',
    ])
    expect(await db.selectFrom('stockLots').select(['lotNumber', 'quantity']).execute()).toEqual([
      { lotNumber: 'L\u00A01', quantity: 25 },
    ])
    expect(await variantOf(db, first.id)).toMatchObject({ stockQuantity: 35 })
    expect(await findStockFaults(db)).toEqual([])
  })

  test('empty cells leave values unchanged, or clear them if requested', async () => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    const text = 'SKU,Brand name,Price\nA-1,,'
    expect(await linesOf(db, await uploadAndCheck(db, text))).toMatchObject([{ outcome: 'unchanged' }])
    const id = await uploadAndCheck(db, text, { clears: true })
    expect(await linesOf(db, id)).toMatchObject([
      { outcome: 'changed', changes: [{ field: 'Brand name', before: 'Advil', after: '' }] },
    ])
    await applyWhole(db, id, { leavesOut: false })
    expect(await variantOf(db, first.id)).toMatchObject({ brandName: null, priceCents: 500 })
  })
})
