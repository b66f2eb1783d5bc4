import { ingredientsNamed, widerNames } from './wider-names.ts'
import { findForm, otherSpelling, splitWords, type Word } from '../search/search-words.ts'
import { spokenAllergyNames } from './allergy-names.ts'
import { toIngredientIndex, toShownMoiety } from './product-ingredients.ts'

export type MedicineNameKind = 'ingredient' | 'brand' | 'group'

/** A name that a medicine or an allergy group is recognized by. */
export type MedicineName = {
  kind: MedicineNameKind
  /** As people read it: "Warfarin sodium", "Lipitor", "Penicillin". */
  label: string
  /** The sorted ingredient keys; for a group, its names in the lists. */
  meanings: readonly string[]
}

/** A name as the table stores it. */
export type StoredName = {
  nameKey: string
  kind: MedicineNameKind
  label: string
  meaning: string
  products: number
}

const maxKeyLength = 100

/** "hcl" is "hydrochloride" here; forms stay as they are. */
const spelledOut = (word: string): string =>
  findForm(word) === undefined ? (otherSpelling(word) ?? word) : word

/** The key of words in a row, by which names are stored and found. */
export const keyOfWords = (words: readonly Pick<Word, 'parts'>[]): string =>
  words
    .flatMap(({ parts }) => parts.map(spelledOut))
    .join('_')
    .slice(0, maxKeyLength)

export const medicineNameKey = (text: string): string => keyOfWords(splitWords(text))

const separator = ' + '
export const joinNames = (names: readonly string[]): string => names.toSorted().join(separator)
export const splitNames = (joined: string): string[] => joined.split(separator)

/** "WARFARIN SODIUM" reads "Warfarin sodium", "VITAMIN D" reads "Vitamin D". */
export const readable = (name: string): string => {
  const lower = name.toLowerCase().replace(/(?<= )[a-z]\d{0,3}(?= |$)/g, (letter) => letter.toUpperCase())
  return lower.charAt(0).toUpperCase() + lower.slice(1)
}

/** "nsaid-aspirin" reads "NSAID aspirin". */
export const readableGroup = (group: string): string =>
  readable(group.replace(/[-/]/g, ' ')).replace(/^(nsaid|ace)(?= |$)/i, (word) => word.toUpperCase())

/** The salt in "SERTRALINE (SERTRALINE HYDROCHLORIDE)", as Health Canada writes names. */
function saltInParentheses(name: string): string | null {
  const open = name.indexOf('(')
  const base = name.slice(0, open).trim()
  if (open <= 0 || base.length < 4 || !name.endsWith(')')) return null
  const inside = name.slice(open + 1, -1)
  const [firstWord = ''] = base.split(' ')
  return firstWord.length >= 4 && inside.includes(firstWord) ? inside : null
}

type TradeName = { tradeName: string; meaning: string }

/**
 * The trade names of medicines, by key. A name that says all ingredients itself is left out:
 * "Abacavir and lamivudine" is two names. Of several sets, the one with the most products wins.
 */
function findTradeNames(
  tradeNames: readonly { tradeName: string; ingredients: string; products: number }[],
): Map<string, TradeName> {
  const found = new Map<string, TradeName>()
  for (const { tradeName, ingredients } of tradeNames.toSorted(
    (a, b) => a.products - b.products || a.ingredients.length - b.ingredients.length,
  )) {
    const meanings = splitNames(ingredients)
    const isGeneric = meanings.every((ingredient) => tradeName.toUpperCase().includes(ingredient))
    if (!isGeneric) found.set(medicineNameKey(tradeName), { tradeName, meaning: joinNames(meanings) })
  }
  return found
}

/**
 * The key by which products have an ingredient: they name moieties, and one name of each. The
 * Canadian list has GLYCOPYRRONIUM, and its products have glycopyrrolate.
 */
export function toProductIngredient(
  names: readonly { name: string; ingredient: string; products: number }[],
): (ingredient: string) => string {
  const index = toIngredientIndex(
    names.flatMap(({ name, ingredient, products }) => [
      { kind: 'name', key: name, ingredient, products },
      { kind: 'moiety', key: toShownMoiety(name), ingredient, products },
    ]),
  )
  return (ingredient) => {
    const shown = toShownMoiety(ingredient)
    return index.names.get(shown.toUpperCase()) ?? index.moieties.get(shown) ?? ingredient
  }
}

/** The ingredients that some of a brand's words name. */
function ingredientsWithin(brand: string, ingredientsByKey: ReadonlyMap<string, string>): string[] {
  const words = splitWords(brand)
  return words.flatMap((_, start) =>
    words.slice(start).flatMap((__, i) => {
      const run = words.slice(start, start + i + 1)
      return run.length === words.length ? [] : (ingredientsByKey.get(keyOfWords(run)) ?? [])
    }),
  )
}

/**
 * The names of the committed lists: every substance name and ingredient, brands, and allergy groups
 * with the names that people use for them.
 */
export function buildMedicineNames(lists: {
  names: readonly { name: string; ingredient: string; products: number }[]
  /** The list names one ingredient of each, also of a combination. */
  brands: readonly { brand: string; ingredient: string }[]
  /** With all ingredients, joined by " + ", and how many products have them. */
  tradeNames: readonly { tradeName: string; ingredients: string; products: number }[]
  groups: readonly string[]
}): StoredName[] {
  const built = new Map<string, StoredName>()
  const asProducts = toProductIngredient(lists.names)
  const add = (name: string, label: string, kind: MedicineNameKind, listed: string, products: number) => {
    const nameKey = medicineNameKey(name)
    if (nameKey === '') return
    // "St Johns Wort": few people type the apostrophe.
    const plain = name.replaceAll(/['’]/g, '')
    if (plain !== name) add(plain, label, kind, listed, products)
    const meaning = kind === 'group' ? listed : joinNames([...new Set(splitNames(listed).map(asProducts))])
    const id = `${nameKey}|${kind}|${meaning}`
    const known = built.get(id)
    built.set(id, {
      nameKey,
      kind,
      label: known?.label ?? label,
      meaning,
      products: (known?.products ?? 0) + products,
    })
  }
  const products = new Map<string, number>()
  for (const { ingredient, products: count } of lists.names) {
    products.set(ingredient, (products.get(ingredient) ?? 0) + count)
  }
  for (const [ingredient, count] of products) {
    add(ingredient, readable(ingredient), 'ingredient', ingredient, count)
  }
  for (const { name, ingredient, products: count } of lists.names) {
    add(name, readable(name), 'ingredient', ingredient, count)
    const salt = saltInParentheses(name)
    if (salt !== null) add(salt, readable(salt), 'ingredient', ingredient, count)
  }
  const ingredientsByKey = new Map([...built.values()].map(({ nameKey, meaning }) => [nameKey, meaning]))
  /** A name that the directories have, else what it covers that most products have. */
  const findKnown = (name: string): string | undefined => {
    const [most] = ingredientsNamed(name)
      .filter((ingredient) => products.has(ingredient))
      .toSorted((a, b) => (products.get(b) ?? 0) - (products.get(a) ?? 0))
    return products.has(name) ? name : most
  }
  // People take "lithium"; the directories have its salts only.
  for (const name of widerNames) {
    const known = findKnown(name)
    if (known !== undefined && known !== name) add(name, readable(name), 'ingredient', known, 0)
  }
  const tradeNames = findTradeNames(lists.tradeNames)
  const isKnown = (ingredient: string): boolean => products.has(ingredient)
  for (const { brand, ingredient } of lists.brands) {
    const key = medicineNameKey(brand)
    const trade = tradeNames.get(key)
    const listed = findKnown(ingredient)
    // "Xyrem" is OXYBATE in the list of brands, which names no substance. "Tylenol with Codeine" is
    // acetaminophen there and names codeine itself.
    const meaning =
      trade && (splitNames(trade.meaning).length > 1 || !listed)
        ? trade.meaning
        : joinNames([listed ?? ingredient, ...ingredientsWithin(brand, ingredientsByKey)])
    add(brand, brand, 'brand', meaning, products.get(ingredient) ?? 0)
    tradeNames.delete(key)
  }
  for (const { tradeName, meaning } of tradeNames.values())
    if (splitNames(meaning).length > 1 || isKnown(meaning))
      add(tradeName, readable(tradeName), 'brand', meaning, 0)
  for (const group of lists.groups) {
    const label = readableGroup(group)
    for (const name of [label, `${label}s`]) add(name, label, 'group', group, 0)
  }
  for (const [spoken, groups] of spokenAllergyNames) {
    const known = groups.filter((group) => lists.groups.includes(group))
    const label = spoken === spoken.toLowerCase() ? readable(spoken) : spoken
    if (known.length > 0) add(spoken, label, 'group', joinNames(known), 0)
  }
  return [...built.values()]
}

const repairable = /^\p{L}{4,}$/u

/** The words of names that misspellings are repaired to, each with the number of its names. */
export function countNameWords(names: readonly StoredName[]): Map<string, number> {
  const words = new Map<string, number>()
  for (const { nameKey } of names) {
    for (const word of nameKey.split('_')) {
      if (repairable.test(word)) words.set(word, (words.get(word) ?? 0) + 1)
    }
  }
  return words
}
