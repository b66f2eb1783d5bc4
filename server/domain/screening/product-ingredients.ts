import { toMoiety } from '../catalog/moiety.ts'
import { formatSubstance } from '../catalog/substance-name.ts'
import { findForm } from '../search/search-words.ts'

/** What tells a product's ingredients: its list, or the name that an admin gave it. */
export type ProductTexts = {
  name: string
  /** All active ingredients, joined by "; ". Null if an admin created the product. */
  ingredients: string | null
}

/** What is known of names, all in upper case but for `moieties`. */
export type IngredientIndex = {
  /** What catalog managers decided; null for a name without an ingredient of the lists. */
  shop: ReadonlyMap<string, string | null>
  /** The directories' names, and the ingredients themselves. */
  names: ReadonlyMap<string, string>
  /** Base moieties in lower case, as products show them. */
  moieties: ReadonlyMap<string, string>
  /** All ingredients of what is sold under a name. */
  brands: ReadonlyMap<string, readonly string[]>
}

/** The ingredients of a product, and its names that no list has. Both sorted. */
export type IngredientSet = { ingredients: string[]; unknownNames: string[] }

/** A name as lists are searched by it. */
export const toNameKey = (name: string): string => name.replace(/\s+/g, ' ').trim().toUpperCase()

/** The base moiety of a name in lower case, as products show it: "dibasic sodium phosphate". */
export const toShownMoiety = (name: string): string => formatSubstance(toMoiety(name)).toLowerCase()

/** How lists join a set of ingredients. */
export const joinIngredients = (ingredients: Iterable<string>): string =>
  [...new Set(ingredients)].toSorted().join(' + ')

/** The parts of a name that an admin gave: "Amlodipine and benazepril", "Codeine/paracetamol". */
const splitName = (name: string): string[] =>
  name
    .split(/[;,/&+]|(?<!\S)(?:and|with)(?!\S)/i)
    .map(toNameKey)
    .filter(Boolean)

const listedNames = ({ ingredients }: ProductTexts): string[] | null =>
  ingredients === null ? null : ingredients.split('; ').map(toNameKey).filter(Boolean)

const strength = / \d[\d.,/-]* ?(?:(?:MG|MCG|G|ML|MEQ|IU|UNITS?)\b|%)/

/**
 * "XANAX 0.5 MG TABLETS" is looked up as "XANAX", too. A number without a unit stays: "TYLENOL 3"
 * has codeine.
 */
function withoutStrength(name: string): string {
  const [start = name] = name.split(strength, 1)
  const words = start.split(' ')
  const form = words.findIndex((word) => findForm(word.toLowerCase()) !== undefined)
  return form > 0 ? words.slice(0, form).join(' ') : start
}

/** Every name that `resolveIngredients` may look up. */
export const namesToLookUp = (product: ProductTexts): string[] =>
  listedNames(product) ?? [
    toNameKey(product.name),
    ...splitName(product.name).flatMap((name) => [...new Set([name, withoutStrength(name)])]),
  ]

/** The ingredients that the lists know a product by. */
export function resolveIngredients(product: ProductTexts, index: IngredientIndex): IngredientSet {
  const listed = listedNames(product)
  if (listed) return toSet(listed, (name) => findIngredient(name, index))
  const find = (name: string): readonly string[] | undefined =>
    findIngredient(name, index) ?? index.brands.get(name)
  const findPart = (name: string) => find(name) ?? find(withoutStrength(name))
  const whole = toNameKey(product.name)
  const parts = splitName(product.name)
  // Of a name without any known part, the parts say no more than the whole.
  return find(whole) === undefined && parts.some((name) => findPart(name) !== undefined)
    ? toSet(parts, findPart)
    : toSet([whole], find)
}

/** Empty for a name without an ingredient of the lists; undefined for an unknown one. */
function findIngredient(name: string, index: IngredientIndex): readonly string[] | undefined {
  const decided = index.shop.get(name)
  if (decided !== undefined) return decided === null ? [] : [decided]
  const found =
    index.names.get(name) ?? index.moieties.get(name.toLowerCase()) ?? index.moieties.get(toShownMoiety(name))
  return found === undefined ? undefined : [found]
}

function toSet(
  names: readonly string[],
  find: (name: string) => readonly string[] | undefined,
): IngredientSet {
  const ingredients = new Set<string>()
  const unknownNames = new Set<string>()
  for (const name of names) {
    const found = find(name)
    if (found === undefined) unknownNames.add(name)
    for (const ingredient of found ?? []) ingredients.add(ingredient)
  }
  return { ingredients: [...ingredients].toSorted(), unknownNames: [...unknownNames].toSorted() }
}

/** A row that may tell the ingredient of a name or moiety. */
export type NameRow = {
  kind: 'shop' | 'name' | 'ingredient' | 'moiety'
  key: string
  ingredient: string | null
  products: number
}

/**
 * Chooses among rows of one key: of several ingredients of a moiety ("zinc sulfate" is listed with
 * and without its water) the one that most products have, then the shortest.
 */
export function toIngredientIndex(
  rows: readonly NameRow[],
  brands: IngredientIndex['brands'] = new Map(),
): IngredientIndex {
  const shop = new Map<string, string | null>()
  const names = new Map<string, string>()
  const counts = new Map<string, Map<string, number>>()
  for (const { kind, key, ingredient, products } of rows) {
    if (kind === 'shop') shop.set(key, ingredient)
    if (ingredient === null) continue
    // A directory's own name wins over an ingredient that happens to be spelled the same.
    if (kind === 'name' || (kind === 'ingredient' && !names.has(key))) names.set(key, ingredient)
    if (kind !== 'moiety') continue
    const found = counts.get(key) ?? new Map<string, number>()
    counts.set(key, found.set(ingredient, (found.get(ingredient) ?? 0) + products))
  }
  const moieties = new Map<string, string>()
  for (const [moiety, found] of counts) {
    const [best] = [...found].toSorted(
      ([a, many], [b, few]) => few - many || a.length - b.length || (a < b ? -1 : 1),
    )
    if (best) moieties.set(moiety, best[0])
  }
  return { shop, names, moieties, brands }
}
