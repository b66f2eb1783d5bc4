import type { Db } from '#db/engine/client.ts'
import { prepareForBulk } from '#db/engine/bulk.ts'
import { createProduct } from '#server/catalog/create-product.ts'
import { getProduct } from '#server/catalog/get-product.ts'
import { updateProduct } from '#server/catalog/update-product.ts'
import { decideIngredientName, undoNameDecision } from '#server/screening/decide-ingredient-name.ts'
import { listCareLists } from '#server/screening/list-care-lists.ts'
import { listIngredientNames } from '#server/screening/list-unknown-names.ts'
import { importCareLists, type ListReport } from '#server/screening/import-care-lists.ts'
import { printCareImport } from '#server/screening/print-care-import.ts'
import { CareFolderError } from '#server/screening/read-care-folder.ts'
import { fold } from '#domain/text.ts'
import { addProduct, testDay } from '#tests/support/catalog.ts'
import { asAdmin } from '#tests/support/admin.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import { runImport, samples } from './catalog-import-support.ts'

const committedFolder = 'db/seed/care'

/** A folder of the run with these files. A list is rows of values, the header first. */
function folderWith(files: Record<string, string | Buffer | readonly (readonly string[])[]>): string {
  const folder = mkdtempSync(join(inject('templates').folder, 'care-'))
  for (const [name, content] of Object.entries(files))
    writeFileSync(
      join(folder, name),
      typeof content === 'string' || Buffer.isBuffer(content) ? content : tsv(content),
    )
  return folder
}

const tsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.join('\t')}\n`).join('')

const importFolder = (db: Db, folder: string): Promise<ListReport[]> =>
  importCareLists(db, { folder, committedFolder, now: testDay })

/** What happened to the lists of a folder, without those it does not have. */
async function importFiles(db: Db, files: Parameters<typeof folderWith>[0]) {
  const reports = await importFolder(db, folderWith(files))
  return reports
    .filter(({ outcome }) => outcome !== 'absent')
    .map(({ name, outcome, problems }) => ({ name, outcome, problems }))
}

const names = [
  ['country', 'catalogue_name', 'ingredient', 'products'],
  ['US', 'WARFARIN SODIUM', 'WARFARIN', '12'],
  ['CA', 'ACETAMINOPHEN', 'ACETAMINOPHEN', '3'],
  ['US', 'SODIUM PHOSPHATE, MONOBASIC', 'SODIUM PHOSPHATE, MONOBASIC', '2'],
  ['US', 'ZINC SULFATE HEPTAHYDRATE', 'ZINC SULFATE HEPTAHYDRATE', '4'],
  ['CA', 'ZINC (ZINC SULFATE)', 'ZINC', '1'],
]
const brands = [
  ['brand', 'brand_rxcui', 'ingredient'],
  ['Tylenol', '1', 'ACETAMINOPHEN'],
]
const tradeName = (name: string, ingredients: string): string[] => [
  'NDA021223',
  name,
  ingredients,
  ingredients,
  'CAPSULE;ORAL',
  '15MG',
  'MAKER',
  '',
  'Prescription',
  '',
  'N',
]
const tradeNames = [
  [
    'application_number',
    'trade_name',
    'active_ingredient',
    'ingredients',
    'form_route',
    'strength',
    'sponsor',
    'approval_date',
    'marketing_status',
    'te_code',
    'ingredient_list_complete',
  ],
  tradeName('RESTORIL', 'TEMAZEPAM'),
  tradeName('XYREM', 'SODIUM OXYBATE'),
  tradeName('BENICAR HCT', 'HYDROCHLOROTHIAZIDE + OLMESARTAN'),
]
const members = [
  ['class', 'ingredient', 'source', 'in_catalogue'],
  ['NSAIDs', 'IBUPROFEN', 'EPC', 'Y'],
]
const setId = 'ca73b519-015a-436d-aa3c-af53492825a1'
const interaction = (object: string, kind: string): string[] => [
  'WARFARIN',
  object,
  kind,
  'interaction',
  'Bleeding.',
  setId,
  '2023-09-29',
]
const interactions = [
  [
    'subject_ingredients',
    'object',
    'object_kind',
    'level',
    'label_sentence',
    'spl_set_id',
    'label_effective',
  ],
  interaction('IBUPROFEN', 'ingredient'),
  interaction('NSAIDs', 'class'),
]

/** The sets of all products, by name. */
async function setsOf(db: Db): Promise<Record<string, string>> {
  const products = await db.selectFrom('products').select(['id', 'name']).execute()
  const known = await db.selectFrom('productIngredients').selectAll().orderBy('ingredient').execute()
  const unknown = await db.selectFrom('unknownIngredientNames').selectAll().orderBy('name').execute()
  return Object.fromEntries(
    products.map(({ id, name }) => [
      name,
      [
        ...known.filter((row) => row.productId === id).map((row) => row.ingredient),
        ...unknown.filter((row) => row.productId === id).map((row) => `?${row.name}`),
      ].join(' + '),
    ]),
  )
}

/** Line counts of the committed files, without their headers. */
const countRows = (file: string): number => {
  const bytes = readFileSync(join(committedFolder, file))
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trimEnd().split('\n').length - 1
}

eachEngine((_, openDb) => {
  test('the committed lists load whole, once, and say what they are', async () => {
    const db = await openDb('demo')
    await prepareForBulk(db)
    const reports = await importFolder(db, committedFolder)
    expect(reports.filter(({ outcome }) => outcome !== 'imported')).toEqual([])
    for (const { file, rows } of reports) expect(`${file} ${rows}`).toBe(`${file} ${countRows(file ?? '')}`)
    const lists = await db.selectFrom('careLists').selectAll().execute()
    expect(lists.filter(({ license, source }) => license === 'Unknown' || source === 'Unknown')).toEqual([])
    expect(lists.find(({ name }) => name === 'interactions-ndfrt')).toMatchObject({
      listDate: '2014-07-07',
      rowCount: 5236,
    })

    // The file stops at 200 lots, so lots that it does not have may be recalled, too.
    const truncated = await db
      .selectFrom('careRecalls')
      .select('id')
      .where('lotNote', 'like', '%200 lots%')
      .execute()
    expect(truncated.map(({ id }) => id).toSorted()).toEqual(['D-0710-2023', 'D-1395-2016', 'D-1396-2016'])

    // Every product of the demo is known by its ingredients.
    const { lines } = await printCareImport(db, reports)
    expect(lines.filter((line) => line.endsWith('(100.0 %)'))).toHaveLength(2)
    expect(await db.selectFrom('unknownIngredientNames').selectAll().execute()).toEqual([])
    // Recalls of packages that the shop does not sell stay, and are counted.
    const recalls = reports.find(({ name }) => name === 'recalls')
    expect(recalls?.outsideCatalog).toBeGreaterThan(6000)
    expect(recalls?.outsideCatalog).toBeLessThan(7634)
    const { rows } = await sql<{ ndc: string }>`select distinct p.ndc from care_recall_packages p
      join variant_identifiers i on i.kind = 'ndc-11' and i.value = p.ndc`.execute(db)
    expect(rows.length).toBeGreaterThan(50)

    const before = await db.selectFrom('careLists').selectAll().orderBy('name').execute()
    const again = await importFolder(db, committedFolder)
    expect(again.filter(({ outcome }) => outcome !== 'unchanged')).toEqual([])
    expect(await db.selectFrom('careLists').selectAll().orderBy('name').execute()).toEqual(before)
  })

  test('a newer file replaces the list, and a file with a problem leaves the current list', async () => {
    const db = await openDb()
    const good = {
      'ingredient-names.tsv': names,
      'interaction-class-members.tsv': members,
      'interactions-label.tsv.gz': gzipSync(tsv(interactions)),
    }
    expect((await importFiles(db, good)).map(({ outcome }) => outcome)).toEqual(Array(3).fill('imported'))
    const content = async () => ({
      lists: await db.selectFrom('careLists').selectAll().orderBy('name').execute(),
      names: await db.selectFrom('careIngredientNames').selectAll().orderBy('name').execute(),
      members: await db.selectFrom('careClassMembers').selectAll().execute(),
      interactions: await db.selectFrom('careInteractions').selectAll().orderBy('id').execute(),
    })
    const before = await content()
    expect(before.interactions).toHaveLength(2)

    const many = [...names, ...Array.from({ length: 3000 }, (_, i) => ['US', `NAME ${i}`, 'X', '1'])]
    const zipped = gzipSync(tsv(many))
    const [header = [], first = [], ...others] = names
    const bad: [file: Parameters<typeof folderWith>[0], problem: string | RegExp][] = [
      [
        { 'ingredient-names.tsv': names.map((row) => row.slice(0, 3)) },
        'line 1: the column "products" is missing',
      ],
      [
        { 'ingredient-names.tsv.gz': zipped.subarray(0, -200) },
        /^line \d+: the gzip file is broken from here on$/,
      ],
      [
        { 'ingredient-names.tsv': [header, first, ...others, first] },
        'line 7: it repeats line 2: US WARFARIN SODIUM',
      ],
      [
        { 'ingredient-names.tsv': [header, first, ['US', 'X', 'X']] },
        'line 3: it has 3 columns, and the header has 4',
      ],
      [
        { 'ingredient-names.tsv': [header, ['MX', ...first.slice(1)]] },
        'line 2: country: Invalid option: expected one of "US"|"CA"',
      ],
      [
        { 'ingredient-names.tsv': [header, [...first.slice(0, 3), '-1']] },
        'line 2: products: is not a whole number',
      ],
      [
        { 'ingredient-names.tsv': Buffer.concat([Buffer.from(tsv(names)), Buffer.from([0xff, 0x0a])]) },
        'line 7: it is not UTF-8',
      ],
      [{ 'ingredient-names.tsv': '' }, 'the file is empty'],
      [{ 'ingredient-names.tsv': [header] }, 'line 1: there are no rows after it'],
      [
        { 'ingredient-names.tsv': names, 'ingredient-names.tsv.gz': zipped },
        'there is a ingredient-names.tsv.gz too; remove one of the two',
      ],
      [
        { 'interactions-label.tsv': [...interactions, interaction('Statins', 'class')] },
        'line 4: the class "Statins" has no members in interaction-class-members',
      ],
      [
        { 'interaction-class-members.tsv': [...members.slice(0, 1), ['Statins', 'SIMVASTATIN', 'EPC', 'Y']] },
        'the class "NSAIDs" has no members, and the current list of interactions uses it',
      ],
    ]
    for (const [files, problem] of bad) {
      const reports = await importFiles(db, files)
      expect(reports.map(({ outcome }) => outcome)).toEqual(['failed'])
      expect(reports[0]?.problems[0]).toEqual(
        typeof problem === 'string' ? problem : expect.stringMatching(problem),
      )
      expect(await content()).toEqual(before)
    }
    await expect(importFolder(db, folderWith({ 'other.tsv': names }))).rejects.toThrow(CareFolderError)

    // Both lists at once may use a class that neither had.
    const newer = await importFiles(db, {
      'interaction-class-members.tsv': [members[0] ?? [], ['Statins', 'SIMVASTATIN', 'EPC', 'Y']],
      'interactions-label.tsv': [interactions[0] ?? [], interaction('Statins', 'class')],
    })
    expect(newer.map(({ outcome }) => outcome)).toEqual(Array(2).fill('imported'))
    // Of two imports at once, the second finds the list imported.
    const folder = folderWith({ 'ingredient-names.tsv': names.slice(0, 3) })
    await importFolder(db, folderWith({ 'ingredient-names.tsv': names }))
    await Promise.all([importFolder(db, folder), importFolder(db, folder)])
    const after = await content()
    expect(after.names.map(({ name }) => name)).toEqual(['ACETAMINOPHEN', 'WARFARIN SODIUM'])
    expect(after.interactions.map(({ object }) => object)).toEqual(['Statins'])
    expect(after.lists.find(({ name }) => name === 'interactions-label')).toMatchObject({
      rowCount: 1,
      listDate: '2023-09-29',
      title: 'Interactions in FDA labels',
    })
  })

  test('a product named by a brand has the ingredients and the schedule of what is sold under it', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    const directoryId = await addProduct(db, {
      name: 'Acetaminophen and oxycodone',
      ingredients: 'Acetaminophen; Oxycodone',
      catalogKey: 'acetaminophen;oxycodone',
    })
    await db
      .insertInto('productNames')
      .values({ nameKey: fold('Percocet'), productId: directoryId, kind: 'brand', label: 'Percocet' })
      .execute()
    const substances = [
      'ALPRAZOLAM',
      'HYDROCHLOROTHIAZIDE',
      'OLMESARTAN',
      'OXYCODONE',
      'SODIUM OXYBATE',
      'TEMAZEPAM',
    ].map((name) => ['US', name, name, '1'])
    await importFiles(db, {
      'ingredient-names.tsv': [...names, ...substances],
      'rxnorm-brands.tsv': [
        ...brands,
        ['Xanax', '2', 'ALPRAZOLAM'],
        ['Percocet', '3', 'ACETAMINOPHEN'],
        ['Xyrem', '5', 'OXYBATE'],
        ['Lumryz', '6', 'OXYBATE'],
        ['Benicar HCT', '7', 'HYDROCHLOROTHIAZIDE'],
      ],
      'therapeutic-equivalence.tsv': tradeNames,
    })
    const scheduleOf = async (id: string) =>
      (await getProduct(ctx, id, { variants: false })).controlledSchedule

    const xanax = await createProduct(ctx, newProduct('Xanax'))
    expect(xanax.controlledSchedule).toBe('CSA schedule IV')
    const percocet = await createProduct(ctx, newProduct('Percocet'))
    expect((await setsOf(db))['Percocet']).toBe('ACETAMINOPHEN + OXYCODONE')
    expect(percocet.controlledSchedule).toBe('CSA schedule II')

    // Brands of the trade names only, brands that the list gives no substance, and strengths.
    for (const [name, schedule] of [
      ['Restoril', 'IV'],
      ['Xyrem', 'III'],
      ['Lumryz', 'III'],
      ['Xanax 0.5 mg tablets', 'IV'],
    ] as const)
      expect((await createProduct(ctx, newProduct(name))).controlledSchedule).toBe(`CSA schedule ${schedule}`)
    await createProduct(ctx, newProduct('Benicar HCT'))
    expect((await setsOf(db))['Benicar HCT']).toBe('HYDROCHLOROTHIAZIDE + OLMESARTAN')

    await updateProduct(ctx, xanax.id, { name: 'Calm' })
    expect(await scheduleOf(xanax.id)).toBeNull()
    await decideIngredientName(ctx, { name: 'CALM', ingredient: 'ALPRAZOLAM' })
    expect(await scheduleOf(xanax.id)).toBe('CSA schedule IV')
    await undoNameDecision(ctx, 'CALM')
    expect(await scheduleOf(xanax.id)).toBeNull()
    // A new list schedules what exists, but for what a directory has scheduled.
    const listed = await createProduct(ctx, newProduct('Restoril'))
    await db
      .updateTable('products')
      .set({ catalogKey: 'US:restoril', controlledSchedule: null })
      .where('id', '=', listed.id)
      .execute()
    await importFiles(db, { 'rxnorm-brands.tsv': [...brands, ['Calm', '4', 'ALPRAZOLAM']] })
    expect([await scheduleOf(xanax.id), await scheduleOf(listed.id)]).toEqual(['CSA schedule IV', null])
  })

  test('products have the ingredients of the current names, however they are made and edited', async () => {
    const db = await openDb()
    const ctx = asAdmin(db)
    await addProduct(db, { name: 'Phosphates', ingredients: 'Monobasic sodium phosphate; Zinc sulfate' })
    // Without a list of names nothing is known, and nothing is work to do.
    await createProduct(ctx, newProduct('Warfarin sodium'))
    expect(await setsOf(db)).toEqual({ Phosphates: '', 'Warfarin sodium': '' })

    await importFiles(db, { 'ingredient-names.tsv': names, 'rxnorm-brands.tsv': brands })
    expect(await setsOf(db)).toEqual({
      // Products show base moieties; of several ingredients of one, most products have this.
      Phosphates: 'SODIUM PHOSPHATE, MONOBASIC + ZINC SULFATE HEPTAHYDRATE',
      'Warfarin sodium': 'WARFARIN',
    })

    const product = await createProduct(ctx, newProduct('Warfarin and Tylenol'))
    expect((await setsOf(db))['Warfarin and Tylenol']).toBe('ACETAMINOPHEN + WARFARIN')
    await updateProduct(ctx, product.id, { name: 'Warfarin and garlic' })
    expect((await setsOf(db))['Warfarin and garlic']).toBe('WARFARIN + ?GARLIC')
    await updateProduct(ctx, product.id, { name: 'Cold and flu' })
    expect((await setsOf(db))['Cold and flu']).toBe('?COLD AND FLU')

    // A catalog manager says what an unknown name means. It is decided once, and can be undone.
    const { names: work } = await listIngredientNames(ctx, null)
    expect(work).toEqual([
      {
        name: 'COLD AND FLU',
        products: 1,
        examples: [{ name: 'COLD AND FLU', productId: product.id, productName: 'Cold and flu' }],
      },
    ])
    const decide = (ingredient: string | null) =>
      decideIngredientName(ctx, { name: 'COLD AND FLU', ingredient })
    await expect(decide('GARLIC')).rejects.toMatchObject({ code: 'INVALID' })
    const decided = await Promise.allSettled([decide('WARFARIN'), decide('WARFARIN')])
    expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await setsOf(db))['Cold and flu']).toBe('WARFARIN')
    await undoNameDecision(ctx, 'COLD AND FLU')
    await expect(undoNameDecision(ctx, 'COLD AND FLU')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await setsOf(db))['Cold and flu']).toBe('?COLD AND FLU')
    await decide(null)
    expect((await setsOf(db))['Cold and flu']).toBe('')
    await undoNameDecision(ctx, 'COLD AND FLU')

    // Lists that were never imported and old ones are shown.
    const view = await listCareLists(asAdmin(db, new Date('2027-01-05')))
    expect(view.unknownNames).toBe(1)
    expect(view.missing).toHaveLength(16)
    expect(view.lists.map(({ name, isOutdated }) => `${name} ${isOutdated}`)).toEqual([
      'rxnorm-brands true',
      'ingredient-names true',
    ])

    const newer = [...names, ['US', 'COLD AND FLU', 'ACETAMINOPHEN', '1']]
    await importFiles(db, { 'ingredient-names.tsv': newer })
    expect((await setsOf(db))['Cold and flu']).toBe('ACETAMINOPHEN')
  })

  test('a directory import gives its products their ingredients', async () => {
    const db = await openDb()
    await importFolder(
      db,
      folderWith({ 'ingredient-names.tsv': readFileSync(`${committedFolder}/ingredient-names.tsv`) }),
    )
    await runImport(db, [{ kind: 'ndc', path: samples.ndc }])
    const sets = Object.values(await setsOf(db))
    expect(sets.length).toBeGreaterThan(100)
    expect(sets.filter((set) => set === '')).toEqual([])
    expect(sets.filter((set) => set.includes('?')).length / sets.length).toBeLessThan(0.03)
  })
})

const newProduct = (name: string) => ({
  name,
  category: 'OTC' as const,
  description: null,
  image: '/share.png',
  pharmacyId: null,
})
