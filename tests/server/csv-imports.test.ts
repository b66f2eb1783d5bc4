import type { Db } from '#db/engine/client.ts'
import { csvBounds, guessColumns, fileTooLarge, type ImportMapping } from '#domain/catalog/csv-imports.ts'
import { importQuerySchema } from '#domain/catalog/import-list.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { fold } from '#domain/text.ts'
import { advanceImport } from '#server/catalog/csv/advance-import.ts'
import { readCsv } from '#server/catalog/csv/read-csv.ts'
import { storeCsv } from '#server/catalog/csv/store-csv.ts'
import { applyImport, checkImport, discardImport } from '#server/catalog/csv/start-import.ts'
import {
  getImport,
  listImportLines,
  listImports,
  streamRejectedLines,
} from '#server/catalog/csv/get-import.ts'
import { searchProducts } from '#server/search/search-products.ts'
import { createVariant } from '#server/catalog/create-variant.ts'
import { updateVariant } from '#server/catalog/update-variant.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { advanceImports, deleteOldImports } from '#server/jobs/advance-imports.ts'
import { addProduct, testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { withinCpuMs } from '#tests/support/within-cpu-ms.ts'
import { sql } from 'kysely'
import { ledgerOf } from '#tests/support/ledger.ts'
import { expect, test } from 'vitest'
import { newVariantSchema } from '#domain/catalog/variant-fields.ts'

const admin = signedIn('019a7c1e-0000-7000-8000-0000000000ad', { isAdmin: true })
const contextOf = (db: Db) => testContext(db, { user: admin })

async function* chunks(...chunkParts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of chunkParts) yield typeof part === 'string' ? Buffer.from(part) : part
}

const receive = (db: Db, ...chunkParts: (string | Uint8Array)[]): Promise<string> =>
  storeCsv(contextOf(db), { fileName: 'prices.csv', body: chunks(...chunkParts) })

/** The message a rejected promise fails with. */
async function errorMessageOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(error instanceof AppError)) throw new Error('It did not fail.', { cause: error })
  return Object.values(error.fields)[0] ?? error.message
}

const mappingOf = (header: string, options: Partial<ImportMapping> = {}): ImportMapping => ({
  columns: guessColumns(header.split(',')),
  adds: false,
  clears: false,
  ...options,
})

/** Uploads and checks a file. */
async function checked(db: Db, text: string, options: Partial<ImportMapping> = {}): Promise<string> {
  const id = await receive(db, text)
  await checkImport(contextOf(db), id, mappingOf(text.split(/\r?\n/, 1)[0] ?? '', options))
  // A request only checks for a second and leaves the rest to the job.
  await advanceImport(contextOf(db), id, {})
  return id
}

/** Applies an import to its end, however long that takes. A request leaves the rest to the job. */
async function applyWhole(db: Db, id: string, options: { leavesOut: boolean }): Promise<void> {
  await applyImport(contextOf(db), id, options)
  await advanceImport(contextOf(db), id, {})
}

const linesOf = async (db: Db, id: string) =>
  (
    await listImportLines(contextOf(db), id, {
      q: '',
      sort: 'line',
      dir: 'asc',
      size: 500,
      outcome: undefined,
    })
  ).rows

/**
 * A product with two variants created by the shop itself, so that its ledger and search are
 * correct.
 */
async function createTwoVariants(db: Db) {
  const productId = await addProduct(db, { name: 'Ibuprofen' })
  const create = (options: object) =>
    createVariant(
      contextOf(db),
      newVariantSchema.parse({
        productId,
        strength: '200',
        strengthUnit: 'mg',
        packageSize: 24,
        packageUnit: 'tablet',
        price: '5.00',
        ...options,
      }),
    )
  const first = await create({ sku: 'A-1', ndc: '0228-2899-96', stockQuantity: 10, brandName: 'Advil' })
  const second = await create({ sku: 'A-2', din: '00559407' })
  return { productId, first, second }
}

const variantOf = (db: Db, id: string) =>
  db.selectFrom('productVariants').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const everything = async (db: Db) => ({
  variants: await db.selectFrom('productVariants').selectAll().orderBy('id').execute(),
  ledger: await ledgerOf(db, null),
  changes: await db.selectFrom('catalogChanges').selectAll().orderBy('id').execute(),
})
const findStockFaults = async (db: Db): Promise<string[]> => {
  const found: string[] = []
  await verifyStock({ db, keys: testKeys }, (sentence) => found.push(sentence))
  return found
}

test.each([
  ['64 MB', `A-1,${'x'.repeat(900_000)}\n`, fileTooLarge],
  [
    '250,000 lines',
    'A-1,1\n'.repeat(10_000),
    'The file has more than 250,000 lines. Split it into smaller files.',
  ],
])(
  'a file of more than %s is rejected during the upload',
  { timeout: 30_000 },
  async (_, chunk, sentence) => {
    let sent = 0
    const endless = async function* () {
      yield Buffer.from('sku,price\n')
      for (;;) {
        sent += chunk.length
        yield Buffer.from(chunk)
      }
    }
    const read = async (): Promise<void> => {
      for await (const lines of readCsv(endless())) void lines
    }
    expect(await errorMessageOf(read())).toBe(sentence)
    expect(sent).toBeLessThan(csvBounds.bytes + 2 * 900_000)
  },
)

eachEngine((_engine, openDb) => {
  test('the check shows what each line would do and changes nothing', async () => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    const before = await everything(db)
    const id = await checked(
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
    expect(await getImport(contextOf(db), id)).toMatchObject({
      status: 'checked',
      counts: { added: 0, changed: 1, unchanged: 1, refused: 6 },
    })
    expect(await everything(db)).toEqual(before)
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
    const id = await checked(
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
    expect(await errorMessageOf(applyImport(contextOf(db), id, { leavesOut: false }))).toBe(
      '2 lines are rejected, so nothing was applied. Correct the file or choose to skip them.',
    )
    expect(await everything(db)).toEqual(before)

    await applyWhole(db, id, { leavesOut: true })
    expect(await getImport(contextOf(db), id)).toMatchObject({ status: 'applied' })
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
    const id = await checked(db, 'SKU,Price\nA-1,6.50\nA-2,7.50')
    await updateVariant(contextOf(db), second.id, { price: 999 })
    await adjustStock(contextOf(db), {
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

    const stock = await checked(db, 'SKU,Stock\nA-1,50')
    await adjustStock(contextOf(db), {
      variantId: first.id,
      quantityChange: -1,
      transactionType: 'damaged',
      notes: null,
    })
    await applyImport(contextOf(db), stock, { leavesOut: false })
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
    ].join('\n')
    const id = await checked(db, file)
    await applyWhole(db, id, { leavesOut: true })
    expect((await linesOf(db, id)).map(({ outcome, problem }) => problem ?? outcome)).toEqual([
      'changed',
      'changed',
      'Expiry date: This lot has expired.',
      'Expiry date: Enter the expiry date of this lot.',
      expect.stringMatching(/^Price: A line with a lot number only counts the lot/),
      'Line 2 is for the same variant.',
      'Lot number: Enter the number of the lot that has this expiry date.',
    ])
    const lots = () =>
      db.selectFrom('stockLots').select(['lotNumber', 'expiresOn', 'quantity']).orderBy('lotNumber').execute()
    expect(await lots()).toEqual([
      { lotNumber: 'L-1', expiresOn: '2027-06-30', quantity: 30 },
      { lotNumber: 'L-2', expiresOn: '2027-09-15', quantity: 12 },
    ])
    expect(await variantOf(db, first.id)).toMatchObject({ stockQuantity: 52 })
    const again = await checked(db, 'SKU,Lot,Qty\nA-1,L-1,30\nA-1,L-2,10\nA-1,,41')
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
  })

  test('a stopped import continues where it was, and two concurrent runs apply nothing twice', async () => {
    const db = await openDb()
    const { productId } = await createTwoVariants(db)
    const rows = Array.from({ length: 450 }, (_, i) => `N-${i},Ibuprofen,${i + 1},mg,30,tablet,1.00,5`)
    const id = await receive(
      db,
      ['sku,product,strength,strength unit,package size,package unit,price,stock', ...rows].join('\n'),
    )
    const header = 'sku,product,strength,strength unit,package size,package unit,price,stock'
    await checkImport(contextOf(db), id, mappingOf(header, { adds: true }))
    await advanceImport(contextOf(db), id, {})
    await db.updateTable('csvImports').set({ status: 'applying' }).where('id', '=', id).execute()
    const stopping = new AbortController()
    const stopped = advanceImport(contextOf(db), id, { signal: stopping.signal })
    stopping.abort()
    await stopped
    const half = await getImport(contextOf(db), id)
    expect(half.progress).toMatchObject({ status: 'applying', total: 450 })
    expect(half.progress.done).toBeLessThan(450)
    await Promise.all([advanceImport(contextOf(db), id, {}), advanceImport(contextOf(db), id, {})])
    expect((await getImport(contextOf(db), id)).status).toBe('applied')
    const { variantCount } = await db
      .selectFrom('products')
      .select('variantCount')
      .where('id', '=', productId)
      .executeTakeFirstOrThrow()
    expect(variantCount).toBe(452)
    expect(await findStockFaults(db)).toEqual([])
  })

  test.each([
    ['an empty file', [''], 'The file is empty.'],
    ['a header only', ['sku,price\n'], 'The file has a header but no lines.'],
    ['a header with a duplicate column', ['SKU,sku\nA,B'], 'The header has two columns named “sku”.'],
    ['a column without a name', ['sku,,price\nA,B,1'], 'A column in the header has no name.'],
    [
      'another encoding',
      ['sku,brand name\nA-1,x\nA-2,', Uint8Array.of(0xe9), '\n'],
      'Line 3 isn’t UTF-8 text. Save the file as “CSV UTF-8” and try again. UTF-16 with a byte order mark also works.',
    ],
    ['a PDF', ['%PDF-1.7\0\0\n', Uint8Array.of(0xff, 0xfe)], /^This isn’t a CSV file|isn’t UTF-8 text/],
    ['an open quotation mark', ['sku,price\nA-1,1\nA-2,"1\n'], /a quotation mark is never closed/],
    [
      'text after a quotation mark',
      ['sku,price\nA-1,"1"x\n'],
      'Line 2: text follows a closing quotation mark.',
    ],
  ])('%s is rejected with its line number, and nothing is stored', async (_, chunkParts, sentence) => {
    const db = await openDb()
    expect(await errorMessageOf(receive(db, ...chunkParts))).toMatch(sentence)
    await deleteOldImports({ db, now: () => testDay }, new AbortController().signal)
    expect(await db.selectFrom('csvImports').select('id').execute()).toEqual([])
    expect(await db.selectFrom('csvImportRows').select('line').execute()).toEqual([])
  })

  test.each([
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFSKU;Brand name\r\nA-1;"Zoë; =1+1"\r\n')],
    [
      'UTF-16 little-endian, tab-separated',
      Buffer.from('\uFEFFSKU\tBrand name\r\nA-1\t"Zoë; =1+1"\r\n', 'utf16le'),
    ],
    ['UTF-16 big-endian', Buffer.from('\uFEFFSKU,Brand name\nA-1,Zoë; =1+1', 'utf16le').swap16()],
  ])('%s is read, however it is chunked', async (_, bytes) => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    const id = await receive(db, bytes.subarray(0, 1), bytes.subarray(1, 30), bytes.subarray(30))
    await checkImport(contextOf(db), id, mappingOf('SKU,Brand name'))
    await applyWhole(db, id, { leavesOut: false })
    expect(await variantOf(db, first.id)).toMatchObject({ brandName: 'Zoë; =1+1' })
  })

  test('a formula stays text, a NUL is refused, and the refused lines can be downloaded', async () => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    const id = await checked(db, "SKU,Brand name\nA-1,=1+1\nA-2,a\0b\nA-9,'=cmd\n")
    expect(await linesOf(db, id)).toMatchObject([
      { outcome: 'changed', changes: [{ after: '=1+1' }] },
      { outcome: 'refused', problem: 'This line contains a NUL character.' },
      { outcome: 'refused', problem: 'No variant has SKU A-9.' },
    ])
    let text = ''
    for await (const chunk of streamRejectedLines(contextOf(db), id)) text += chunk
    expect(text).toBe(
      "\uFEFFSKU,Brand name,Line,Problem\r\nA-2,a␀b,3,This line contains a NUL character.\r\nA-9,''=cmd,4,No variant has SKU A-9.\r\n",
    )
    await applyWhole(db, id, { leavesOut: true })
    expect(await variantOf(db, first.id)).toMatchObject({ brandName: '=1+1' })
  })

  test('empty cells leave values unchanged, or clear them if requested', async () => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    const text = 'SKU,Brand name,Price\nA-1,,'
    expect(await linesOf(db, await checked(db, text))).toMatchObject([{ outcome: 'unchanged' }])
    const id = await checked(db, text, { clears: true })
    expect(await linesOf(db, id)).toMatchObject([
      { outcome: 'changed', changes: [{ field: 'Brand name', before: 'Advil', after: '' }] },
    ])
    await applyWhole(db, id, { leavesOut: false })
    expect(await variantOf(db, first.id)).toMatchObject({ brandName: null, priceCents: 500 })
  })

  test('a line that causes an internal error is refused and rolled back, and the others are applied', async () => {
    const db = await openDb()
    const { productId, first, second } = await createTwoVariants(db)
    const rows = Array.from({ length: 300 }, (_, i) => `N-${i},Ibuprofen,${i + 1},mg,30,tablet,1.00`)
    const id = await checked(
      db,
      ['sku,product,strength,strength unit,package size,package unit,price', ...rows].join('\n'),
      { adds: true },
    )
    const other = await checked(db, 'sku,price\nA-1,6.66\nA-2,6.66\n')
    await db
      .updateTable('csvImportRows')
      .set({ changes: '{' })
      .where('importId', '=', id)
      .where('line', '=', 140)
      .execute()
    // A failure in the database itself, and only for the second of two lines.
    await sql`create unique index once on product_variants (price_cents) where price_cents = 666`.execute(db)
    await db.updateTable('csvImports').set({ status: 'applying' }).where('id', 'in', [id, other]).execute()
    const log = testContext(db).log
    await advanceImports({ db, keys: testKeys, log, now: () => testDay }, new AbortController().signal)

    expect(await getImport(contextOf(db), id)).toMatchObject({
      status: 'applied',
      counts: { added: 299, refused: 1 },
    })
    expect(await getImport(contextOf(db), other)).toMatchObject({
      status: 'applied',
      counts: { changed: 1, refused: 1 },
    })
    expect((await linesOf(db, other))[1]).toMatchObject({
      line: 3,
      problem: 'Something went wrong on our end, so this line was not applied.',
    })
    expect(await variantOf(db, first.id)).toMatchObject({ priceCents: 666 })
    expect(await variantOf(db, second.id)).toMatchObject({ priceCents: 500 })
    const { variantCount } = await db
      .selectFrom('products')
      .select('variantCount')
      .where('id', '=', productId)
      .executeTakeFirstOrThrow()
    expect(variantCount).toBe(301)
    expect(await findStockFaults(db)).toEqual([])
  })

  test('a line that cannot be checked is refused, and the check continues', async () => {
    const db = await openDb()
    await createTwoVariants(db)
    const id = await receive(db, 'sku,price\nA-1,6.00\nA-2,7.00\n')
    await db.updateTable('csvImportRows').set({ cells: '{' }).where('line', '=', 2).execute()
    await checkImport(contextOf(db), id, mappingOf('sku,price'))
    expect(
      await db.selectFrom('csvImportRows').select(['line', 'outcome', 'problem']).orderBy('line').execute(),
    ).toEqual([
      {
        line: 2,
        outcome: 'refused',
        problem: 'Something went wrong on our end, so this line was not checked.',
      },
      { line: 3, outcome: 'changed', problem: null },
    ])
  })

  test('an import can be checked again, discarded, and applied only once', async () => {
    const db = await openDb()
    const { first } = await createTwoVariants(db)
    const id = await checked(db, 'SKU,Price\nA-1,6.50')
    await updateVariant(contextOf(db), first.id, { price: 650 })
    await checkImport(contextOf(db), id, mappingOf('SKU,Price'))
    expect(await linesOf(db, id)).toMatchObject([{ outcome: 'unchanged' }])
    expect(await errorMessageOf(applyImport(contextOf(db), id, { leavesOut: false }))).toBe(
      'This file doesn’t change anything.',
    )
    expect(
      await errorMessageOf(
        checkImport(contextOf(db), id, { columns: { price: 1 }, adds: false, clears: false }),
      ),
    ).toBe('Choose the column that identifies the variant: ID, NDC, DIN, UPC or SKU.')
    const later = await receive(db, 'SKU,Price\nA-1,6.50')
    const listed = async (query: Record<string, string>) =>
      listImports(contextOf(db), importQuerySchema.parse(query))
    const { rows, total, next } = await listed({ size: '25' })
    expect({ ids: rows.map((row) => row.id), total, next }).toEqual({
      ids: [later, id],
      total: 2,
      next: null,
    })
    expect((await listed({ dir: 'asc' })).rows).toMatchObject([{ id, rowCount: 1 }, { id: later }])
    await discardImport(contextOf(db), id)
    expect(await listed({})).toMatchObject({ rows: [{ id: later }], total: 1 })
    expect(await errorMessageOf(getImport(contextOf(db), id))).toBe('Import not found')
  })

  test('imports require an admin', async () => {
    const db = await openDb()
    const customer = testContext(db, { user: signedIn('019a7c1e-0000-7000-8000-0000000000bb') })
    const id = await receive(db, 'SKU,Price\nA-1,1')
    for (const work of [
      storeCsv(customer, { fileName: 'x', body: chunks('a,b\n1,2') }),
      checkImport(customer, id, mappingOf('SKU,Price')),
      applyImport(customer, id, { leavesOut: true }),
      discardImport(customer, id),
      getImport(customer, id),
      listImports(customer, importQuerySchema.parse({})),
      streamRejectedLines(customer, id).next(),
    ])
      await expect(work).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

test('a long file without a line end is read in linear time', async () => {
  // Twice as much as `readHead` collects: to search all of it again for each part took 17 s.
  const parts = Array.from({ length: 128 }, () => 'x'.repeat(1024))
  const read = async (): Promise<void> => {
    for await (const _ of readCsv(chunks(...parts)));
  }
  expect(await withinCpuMs(500, () => errorMessageOf(read()))).toMatch(/header but no lines/)
})
