import type { Db } from '#db/engine/client.ts'
import {
  findCatalogNames,
  findCatalogNamesStartingWith,
  findMedicineNames,
  findMedicineNamesStartingWith,
  findNearWords,
  listNameSources,
  replaceMedicineNames,
  type CatalogName,
} from '#db/screening/medicine-names.ts'
import { findSpellings } from '#db/search/find-spellings.ts'
import { findSynonyms } from '#domain/catalog/synonyms.ts'
import {
  buildMedicineNames,
  countNameWords,
  medicineNameKey,
  splitNames,
  type MedicineName,
  type StoredName,
} from '#domain/screening/medicine-names.ts'
import {
  chooseName,
  listNameKeys,
  listRepairedKeys,
  listUnknownWords,
  recognizeText,
  type Recognition,
} from '#domain/screening/recognize-text.ts'
import { splitText, textBounds, type TextKind } from '#domain/screening/split-text.ts'
import { rankSpellings } from '#domain/search/spellings.ts'
import { fold } from '#domain/text.ts'
import type { Context } from '../context.ts'

type Reads = Pick<Context, 'db'>

/** Makes the names from the imported lists, in the transaction of the import. */
export async function rebuildMedicineNames({ db }: Reads): Promise<void> {
  const names = buildMedicineNames(await listNameSources(db))
  await replaceMedicineNames(db, names, countNameWords(names))
}

/**
 * What a free text about medicines or allergies names. At most two lookups of names and one of
 * spellings per unknown word, whatever the text.
 */
export async function recognize(ctx: Reads, kind: TextKind, text: string): Promise<Recognition> {
  const split = splitText(kind, text)
  const known = await findNames(ctx, listNameKeys(split.parts))
  const unknown = listUnknownWords(kind, split.parts, known)
  const spellings = new Map(
    await Promise.all(unknown.map(async (word) => [word, await listNameSpellings(ctx, word)] as const)),
  )
  const repaired = await findNames(ctx, listRepairedKeys(split.parts, spellings))
  return recognizeText(kind, split, new Map([...known, ...repaired]), spellings)
}

/** "Ph" for "f" is two edits but one mistake, as in the shop's search. */
async function listNameSpellings({ db }: Reads, word: string): Promise<string[]> {
  const spelledLike = [...new Set([word, word.replaceAll('ph', 'f'), word.replace('f', 'ph')])]
  const found = await Promise.all(
    spelledLike.map(async (spelled) => {
      const [own, catalog] = await Promise.all([findNearWords(db, spelled), findSpellings(db, spelled)])
      return [...rankSpellings(spelled, own), ...catalog].map((spelling) => spelling.word)
    }),
  )
  return [...new Set([...findSynonyms(word), ...found.flat()])].filter((spelled) => spelled !== word)
}

/** Names of the lists and of the catalog by their keys. */
async function findNames({ db }: Reads, keys: readonly string[]): Promise<Map<string, MedicineName[]>> {
  if (keys.length === 0) return new Map()
  const { listed, catalog } = await lookUp(db, keys)
  const names = new Map<string, MedicineName[]>()
  const add = (key: string, name: MedicineName): void => {
    names.set(key, [...(names.get(key) ?? []), name])
  }
  const sold = soldUnder(catalog)
  for (const name of listed.toSorted((a, b) => b.products - a.products))
    add(name.nameKey, fromList(name, sold))
  for (const [key, name] of mostSold(fromCatalog(catalog))) if (!names.has(key)) add(key, name)
  return names
}

/** The ingredients of what is sold under these names, for the names that are brands. */
export async function findBrands(
  { db }: Reads,
  names: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const keys = new Map(names.map((name) => [name, medicineNameKey(name)]))
  if (keys.size === 0) return new Map()
  const { listed, catalog } = await lookUp(db, [...keys.values()])
  const sold = soldUnder(catalog)
  const brands = new Map(sold)
  for (const name of listed) if (name.kind === 'brand') brands.set(name.nameKey, fromList(name, sold))
  return new Map(
    [...keys].flatMap(([name, key]) => {
      const brand = brands.get(key)
      return brand ? [[name, brand.meanings]] : []
    }),
  )
}

/** The catalog's names are stored folded: words are separated by spaces. */
async function lookUp(db: Db, keys: readonly string[]) {
  const folded = keys.map((key) => fold(key.replaceAll('_', ' ')))
  const [listed, catalog] = await Promise.all([findMedicineNames(db, keys), findCatalogNames(db, folded)])
  return { listed, catalog }
}

/**
 * The list of brands names one ingredient only, also of a combination: "Tylenol PM" is
 * acetaminophen there. What is sold under the brand says all of them.
 */
function fromList(
  { nameKey, kind, label, meaning }: StoredName,
  sold: ReadonlyMap<string, MedicineName>,
): MedicineName {
  const product = kind === 'brand' ? sold.get(nameKey) : undefined
  return product ? { ...product, label } : { kind, label, meanings: splitNames(meaning) }
}

type KeyedName = readonly [key: string, name: MedicineName]

/** Of each key the first name: the set that most products have. */
const mostSold = (names: readonly KeyedName[]): Map<string, MedicineName> => new Map(names.toReversed())

/**
 * What the directories' products under each key consist of. An admin's product is resolved from its
 * name, so it cannot define one.
 */
const soldUnder = (rows: readonly CatalogName[]): Map<string, MedicineName> =>
  mostSold(fromCatalog(rows.filter(({ catalogKey }) => catalogKey !== null)))

/**
 * Names of the catalog with the ingredients of their products. Where products of one name have
 * different ingredients, the set of the most products comes first.
 */
function fromCatalog(rows: readonly CatalogName[]): KeyedName[] {
  const products = new Map<string, { key: string; label: string; ingredients: string[] }>()
  for (const { productId, label, ingredient } of rows) {
    const key = medicineNameKey(label)
    const id = `${key}|${productId}`
    const product = products.get(id) ?? { key, label, ingredients: [] }
    if (!product.ingredients.includes(ingredient)) product.ingredients.push(ingredient)
    products.set(id, product)
  }
  const sets = new Map<string, { key: string; name: MedicineName; count: number }>()
  for (const { key, label, ingredients } of products.values()) {
    const meanings = ingredients.toSorted()
    const id = `${key}|${meanings.join('+')}`
    const known = sets.get(id)
    sets.set(id, {
      key,
      name: known?.name ?? { kind: 'brand', label, meanings },
      count: (known?.count ?? 0) + 1,
    })
  }
  return [...sets.values()].toSorted((a, b) => b.count - a.count).map(({ key, name }) => [key, name] as const)
}

/** The name that is spelled like this; null when there is none. */
export async function findExactName(ctx: Reads, kind: TextKind, typed: string): Promise<MedicineName | null> {
  const key = medicineNameKey(typed)
  const names = (await findNames(ctx, [key])).get(key) ?? []
  return chooseName(names.filter((name) => kind === 'allergies' || name.kind !== 'group'))
}

const maxSuggestions = 8
const readAhead = 40

/**
 * The names that a typed name can mean, for choosing one: exact ones, then those that start with
 * it, else those of a repaired spelling.
 */
export async function suggestMedicineNames(
  ctx: Reads,
  kind: TextKind,
  typed: string,
): Promise<MedicineName[]> {
  const text = typed.slice(0, maxTypedName).trim()
  const key = medicineNameKey(text)
  if (key === '') return []
  const [listed, catalog] = await Promise.all([
    findMedicineNamesStartingWith(ctx.db, key, readAhead),
    findCatalogNamesStartingWith(ctx.db, fold(text), readAhead * 4),
  ])
  const sold = soldUnder(catalog)
  const named = [
    ...listed.map((name) => ({ key: name.nameKey, name: fromList(name, sold) })),
    ...fromCatalog(catalog).map(([nameOf, name]) => ({ key: nameOf, name })),
  ].filter(({ name }) => kind === 'allergies' || name.kind !== 'group')
  const rank = ({ key: own, name }: (typeof named)[number]): number =>
    own === key ? 0 : name.kind === 'group' ? 1 : 2
  const sorted = named.toSorted((a, b) => rank(a) - rank(b)).map(({ name }) => name)
  const names = sorted.length > 0 ? sorted : (await recognize(ctx, kind, text)).found
  return withoutRepeats(names).slice(0, maxSuggestions)
}

/** A typed name is one name, not a text. */
const maxTypedName = Math.min(200, textBounds.characters)

const withoutRepeats = (names: readonly MedicineName[]): MedicineName[] =>
  [
    ...new Map(
      names.toReversed().map((name) => [`${name.label.toLowerCase()}|${name.meanings.join('+')}`, name]),
    ).values(),
  ].toReversed()
