import type { StoredName } from '#domain/screening/medicine-names.ts'
import { withinOneEdit } from '#domain/search/edit-distance.ts'
import { sql } from 'kysely'
import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import { reverse } from '../search/search-words-table.ts'

/** What the names are made from: the imported care lists. */
export async function listNameSources(db: Db) {
  const [names, brands, tradeNames, groups, labelGroups] = await Promise.all([
    db.selectFrom('careIngredientNames').select(['name', 'ingredient', 'products']).execute(),
    db.selectFrom('careBrands').select(['brand', 'ingredient']).execute(),
    db
      .selectFrom('careEquivalents')
      .select((row) => ['tradeName', 'ingredients', row.fn.countAll<number>().as('products')])
      .groupBy(['tradeName', 'ingredients'])
      .execute(),
    db.selectFrom('careAllergyGroups').select('allergyGroup').distinct().execute(),
    db.selectFrom('careAllergyLabels').select('allergenGroup').distinct().execute(),
  ])
  return {
    names,
    brands,
    tradeNames,
    groups: [
      ...new Set([
        ...groups.map(({ allergyGroup }) => allergyGroup),
        ...labelGroups.map(({ allergenGroup }) => allergenGroup),
      ]),
    ].toSorted(),
  }
}

const rowsPerStep = 2000

/** Replaces all names and their words, in the transaction that imports the lists. */
export async function replaceMedicineNames(
  db: Db,
  names: readonly StoredName[],
  words: ReadonlyMap<string, number>,
): Promise<void> {
  await db.deleteFrom('medicineNames').execute()
  await db.deleteFrom('medicineNameWords').execute()
  for (let start = 0; start < names.length; start += rowsPerStep) {
    await sql`insert into medicine_names (name_key, kind, label, meaning, products)
      select value ->> 'nameKey', value ->> 'kind', value ->> 'label', value ->> 'meaning',
        cast(value ->> 'products' as integer)
      from ${jsonRows(db, names.slice(start, start + rowsPerStep))}`.execute(db)
  }
  const rows = [...words].map(([word, count]) => ({ word, reversed: reverse(word), names: count }))
  for (let start = 0; start < rows.length; start += rowsPerStep) {
    await sql`insert into medicine_name_words (word, reversed, names)
      select value ->> 'word', value ->> 'reversed', cast(value ->> 'names' as integer)
      from ${jsonRows(db, rows.slice(start, start + rowsPerStep))}`.execute(db)
  }
}

const jsonRows = (db: Db, rows: readonly unknown[]) =>
  getEngine(db) === 'sqlite'
    ? sql`json_each(${JSON.stringify(rows)})`
    : sql`jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as row (value)`

const byKeys = prepareQuery((db, p: Params<{ keys: string }>) =>
  db
    .selectFrom('medicineNames')
    .select(['nameKey', 'kind', 'label', 'meaning', 'products'])
    .where(isOneOf(db, 'nameKey', p.keys)),
)

/** The names with these keys. */
export const findMedicineNames = (db: Db, keys: readonly string[]): Promise<StoredName[]> =>
  byKeys(db, { keys: JSON.stringify(keys) })

const startingWith = prepareQuery((db, p: Params<{ start: string; end: string; limit: number }>) =>
  db
    .selectFrom('medicineNames')
    .select(['nameKey', 'kind', 'label', 'meaning', 'products'])
    .where('nameKey', '>=', p.start)
    .where('nameKey', '<', p.end)
    .orderBy('products', 'desc')
    .orderBy('nameKey')
    .limit(p.limit),
)

/** The names that start with a key, those of the most products first. */
export const findMedicineNamesStartingWith = (db: Db, start: string, limit: number): Promise<StoredName[]> =>
  startingWith(db, { start, end: `${start}\u{10ffff}`, limit })

const knownIngredients = prepareQuery((db, p: Params<{ keys: string }>) =>
  db
    .selectFrom('careIngredientNames')
    .select('ingredient')
    .where(isOneOf(db, 'ingredient', p.keys))
    .union(
      db
        .selectFrom('careIngredients')
        .select('ingredient')
        .where(isOneOf(db, 'ingredient', p.keys)),
    ),
)

const knownGroups = prepareQuery((db, p: Params<{ keys: string }>) =>
  db
    .selectFrom('careAllergyGroups')
    .select('allergyGroup as group')
    .where(isOneOf(db, 'allergy_group', p.keys))
    .union(
      db
        .selectFrom('careAllergyLabels')
        .select('allergenGroup as group')
        .where(isOneOf(db, 'allergen_group', p.keys)),
    ),
)

/** Which of these ingredients and allergy groups the current lists have. */
export async function listKnownMeanings(
  db: Db,
  keys: { ingredients: readonly string[]; groups: readonly string[] },
): Promise<{ ingredients: ReadonlySet<string>; groups: ReadonlySet<string> }> {
  const [ingredients, groups] = await Promise.all([
    keys.ingredients.length > 0 ? knownIngredients(db, { keys: JSON.stringify(keys.ingredients) }) : [],
    keys.groups.length > 0 ? knownGroups(db, { keys: JSON.stringify(keys.groups) }) : [],
  ])
  return {
    ingredients: new Set(ingredients.map(({ ingredient }) => ingredient)),
    groups: new Set(groups.map(({ group }) => group)),
  }
}

/** A name of the catalog with one ingredient of one product that has it. */
export type CatalogName = {
  nameKey: string
  productId: string
  kind: 'product' | 'brand' | 'ingredient'
  label: string
  ingredient: string
  /** Null for a product that an admin created: its ingredients are what names say. */
  catalogKey: string | null
}

const catalogByKeys = prepareQuery((db, p: Params<{ keys: string; limit: number }>) =>
  db
    .selectFrom('productNames')
    .innerJoin('productIngredients', 'productIngredients.productId', 'productNames.productId')
    .innerJoin('products', 'products.id', 'productNames.productId')
    .select([
      'productNames.nameKey',
      'productNames.productId',
      'productNames.kind',
      'productNames.label',
      'productIngredients.ingredient',
      'products.catalogKey',
    ])
    .where(isOneOf(db, 'product_names.name_key', p.keys))
    .where('productNames.kind', '!=', 'ingredient')
    .orderBy('productNames.nameKey')
    .limit(p.limit),
)

const catalogStartingWith = prepareQuery((db, p: Params<{ start: string; end: string; limit: number }>) =>
  db
    .selectFrom('productNames')
    .innerJoin('productIngredients', 'productIngredients.productId', 'productNames.productId')
    .innerJoin('products', 'products.id', 'productNames.productId')
    .select([
      'productNames.nameKey',
      'productNames.productId',
      'productNames.kind',
      'productNames.label',
      'productIngredients.ingredient',
      'products.catalogKey',
    ])
    .where('productNames.nameKey', '>=', p.start)
    .where('productNames.nameKey', '<', p.end)
    .where('productNames.kind', '!=', 'ingredient')
    .orderBy('productNames.nameKey')
    .limit(p.limit),
)

/**
 * Rows of the catalog that one lookup reads at most: more than the names of the longest text have.
 * What is beyond would not be found.
 */
const maxCatalogRows = 20_000

/** The brands and product names of the catalog with these keys. */
export const findCatalogNames = (db: Db, keys: readonly string[]): Promise<CatalogName[]> =>
  catalogByKeys(db, { keys: JSON.stringify(keys), limit: maxCatalogRows })

/** The brands and product names of the catalog that start with a key. */
export const findCatalogNamesStartingWith = (db: Db, start: string, limit: number): Promise<CatalogName[]> =>
  catalogStartingWith(db, { start, end: `${start}\u{10ffff}`, limit })

const nearWords = prepareQuery(
  (db, p: Params<Record<'start' | 'startEnd' | 'end' | 'endEnd' | 'swapped', string>>) =>
    db
      .selectFrom('medicineNameWords')
      .select(['word', 'names'])
      .where('word', '>=', p.start)
      .where('word', '<', p.startEnd)
      .union((eb) =>
        eb
          .selectFrom('medicineNameWords')
          .select(['word', 'names'])
          .where('reversed', '>=', p.end)
          .where('reversed', '<', p.endEnd),
      )
      .union((eb) =>
        eb.selectFrom('medicineNameWords').select(['word', 'names']).where('word', '=', p.swapped),
      ),
)

/**
 * The words of names that are at most one edit away. As in the shop's search, one edit leaves the
 * first or the last half of a word intact, except a swap of the two letters in the middle.
 */
export async function findNearWords(db: Db, word: string): Promise<{ word: string; products: number }[]> {
  const half = Math.floor(word.length / 2)
  const start = word.slice(0, half)
  const end = reverse(word.slice(half))
  const swapped = word.slice(0, half - 1) + (word[half] ?? '') + (word[half - 1] ?? '') + word.slice(half + 1)
  const rows = await nearWords(db, {
    start,
    startEnd: `${start}\u{10ffff}`,
    end,
    endEnd: `${end}\u{10ffff}`,
    swapped,
  })
  return rows
    .filter((row) => withinOneEdit(row.word, word))
    .map((row) => ({ word: row.word, products: row.names }))
}
