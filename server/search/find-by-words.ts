import { findDocumentIds, findDocuments, type DocumentMatches } from '#db/search/find-documents.ts'
import { exactly, mark, startingWith } from '#domain/search/match.ts'
import { findProductNames } from '#db/search/find-names.ts'
import { nameKey } from '#domain/search/search-words.ts'
import { findDistantSpellings, findSpellings } from '#db/search/find-spellings.ts'
import { withinOneEdit } from '#domain/search/edit-distance.ts'
import { isPlainWord } from '#domain/search/lay-words.ts'
import { searchTiers, type SearchFilter } from '#domain/search/search-tiers.ts'
import type { Db } from '#db/engine/client.ts'
import { findBrandIngredients } from '#db/search/find-brand-ingredients.ts'
import { commonBrands, findGeneric } from '#domain/catalog/common-brands.ts'
import { findSynonyms } from '#domain/catalog/synonyms.ts'
import { parseSearchQuery, type QueryWord, type SearchQuery } from '#domain/search/search-query.ts'
import { describeRelaxed, type RelaxedSearch } from '#domain/search/relaxed-search.ts'
import { relaxQuery } from './relax-query.ts'

export type WordsFound = Pick<DocumentMatches, 'productIds' | 'total'> & {
  /** The corrected query, when the original one finds nothing or looks like a misspelling. */
  repairedQuery: string | null
  /** Set when words without a match were ignored. */
  relaxed: RelaxedSearch | null
}

type SearchScope = { filter: SearchFilter; among: readonly number[] | null; end: number; countTo: number }

/** Shorter words are within one edit of too many others. */
const shortestRepaired = 4
const canBeMisspelled = new RegExp(`^\\p{L}{${shortestRepaired},}$`, 'u')
/** Shorter words, like the "d" of "d'estomac", name no medicine by themselves. */
const shortestName = 3
/** Bounds of the repairs tried when nothing is found. */
const maxSpellings = 4
const maxRepairs = 6
/** Two edits are looked for in the first unknown words only. */
const maxDistantRepairs = 2
/** A brand name of more products than this does not identify one product. */
const maxBrandMatches = 4
/** With fewer results than this, a rare word may be a directory's own misspelling, */
const minResults = 5
/** if another spelling is this many times as common. */
const commonSpellingFactor = 20

/**
 * Finds products by words: names first, then all words in any order. If that finds nothing,
 * strength and form may come from two variants; then a word may name the manufacturer; then each
 * word is replaced by a synonym or a corrected spelling; then words without a match are ignored.
 */
export async function findByWords(db: Db, query: SearchQuery, page: SearchScope): Promise<WordsFound> {
  // The first few results are always examined, so that the decisions based on them are the same on
  // every page.
  const reach = { ...page, end: Math.max(page.end, minResults) }
  const result = await findWithRelated(db, query, true, reach)
  if (result.isExactName) return asTyped(result)
  const generic = await findGenericFirst(db, query, result, reach)
  if (generic) return generic
  if (result.total >= minResults) return asTyped(result)
  if (result.total > 0) {
    const likelier = await correctRareWords(db, query)
    return likelier === null ? asTyped(result) : findRepaired(db, [result.productIds], [likelier], reach)
  }
  const wideResult = await findWide(db, query, reach)
  if (wideResult.total > 0) return asTyped(wideResult)
  const { texts, isRepaired, unknown } = await listRepairs(db, query)
  const named = query.words.length > 1 ? await keepNamed(db, texts) : texts
  const repaired = await findRepaired(db, [], named, reach)
  if (repaired.total > 0) {
    const shown = parseSearchQuery(repaired.repairedQuery ?? '')
    return unknown.length === 0 || !shown
      ? repaired
      : {
          ...repaired,
          repairedQuery: isRepaired ? repaired.repairedQuery : null,
          relaxed: toRelaxed(query, unknown, shown.words),
        }
  }
  // An identifier together with words must have all of them.
  if (reach.among) return nothing
  return findRelaxed(db, query, unknown, isRepaired ? (named[0] ?? '') : null, reach)
}

const nothing: WordsFound = { productIds: [], total: 0, repairedQuery: null, relaxed: null }
const asTyped = ({ productIds, total }: DocumentMatches): WordsFound => ({ ...nothing, productIds, total })

/**
 * For a brand that no product here has by itself ("advil" where only Children's Advil and Advil
 * Cold are sold): the products of its generic name, then those found as typed.
 */
async function findGenericFirst(
  db: Db,
  query: SearchQuery,
  result: DocumentMatches,
  reach: SearchScope,
): Promise<WordsFound | null> {
  const generic = findGeneric(query.name)
  if (generic === undefined || reach.among) return null
  const text = query.words.map((word) => (word.text === query.name ? generic : formatWord(word))).join(' ')
  const found = await findRepaired(db, [], [text], { ...reach, end: reach.countTo + 1 })
  if (found.total === 0) return null
  const productIds = [...new Set([...found.productIds, ...result.productIds])]
  return {
    productIds: productIds.slice(0, reach.end),
    total: productIds.length,
    repairedQuery: result.total === 0 ? found.repairedQuery : null,
    relaxed: null,
  }
}

/**
 * Strength and form of two variants; then also words of manufacturers and labels, and the starts of
 * words.
 */
async function findWide(db: Db, query: SearchQuery, reach: SearchScope): Promise<DocumentMatches> {
  const find = (wide: boolean): Promise<DocumentMatches> =>
    findDocuments(db, searchTiers(query, { filter: reach.filter, pairs: false, wide, related: [] }), reach)
  const separate = query.pairs.length > 0 ? await find(false) : null
  return separate && separate.total > 0 ? separate : find(true)
}

/** The products that have most of the words. */
async function findRelaxed(
  db: Db,
  typed: SearchQuery,
  unknown: readonly QueryWord[],
  repairedText: string | null,
  reach: SearchScope,
): Promise<WordsFound> {
  const known = typed.words.filter((word) => !unknown.includes(word))
  const query = parseSearchQuery(repairedText ?? known.map(formatWord).join(' '))
  const remaining = query && (await relaxQuery(db, query, { filter: reach.filter, typed }))
  const relaxed = remaining && parseSearchQuery(remaining.map(formatWord).join(' '))
  if (!query || !relaxed) return nothing
  const named = await findWithRelated(db, relaxed, true, reach)
  const { productIds, total } = named.total > 0 ? named : await findWide(db, relaxed, reach)
  // A repair replaces words one by one, so a word's place says which typed word it stands for.
  const ignored = known.filter((_, i) => !remaining.some(({ text }) => text === query.words[i]?.text))
  return {
    productIds,
    total,
    repairedQuery: repairedText === null ? null : remaining.map(formatWord).join(' '),
    relaxed: toRelaxed(typed, [...unknown, ...ignored], remaining),
  }
}

/** "No match for “blood pressure”; showing Lisinopril pills": the texts of that sentence. */
function toRelaxed(
  typed: SearchQuery,
  ignored: readonly QueryWord[],
  remaining: readonly QueryWord[],
): RelaxedSearch {
  const phrases: string[] = []
  let isOpen = false
  for (const word of typed.words) {
    const isIgnored = ignored.includes(word)
    if (isIgnored && isOpen) phrases.push(`${phrases.pop() ?? ''} ${formatWord(word)}`)
    else if (isIgnored) phrases.push(formatWord(word))
    isOpen = isIgnored
  }
  const described = (kinds: readonly QueryWord['kind'][]): string[] =>
    remaining.filter(({ kind }) => kinds.includes(kind)).map(formatWord)
  const shown = [...described(['word']), ...described(['strength', 'number']), ...described(['form'])].join(
    ' ',
  )
  return describeRelaxed(phrases, shown.charAt(0).toUpperCase() + shown.slice(1))
}

/**
 * Appends the results of each of these queries to earlier results. The repaired query is the first
 * one that finds anything.
 */
async function findRepaired(
  db: Db,
  before: readonly string[][],
  texts: readonly string[],
  reach: SearchScope,
): Promise<WordsFound> {
  const lists: string[][] = []
  let repairedQuery: string | null = null
  for (const text of texts) {
    const repaired = parseSearchQuery(text)
    if (!repaired) continue
    // Lists may overlap. To count their union, each is read up to the counting limit.
    const { productIds } = await findWithRelated(db, repaired, false, { ...reach, end: reach.countTo + 1 })
    if (productIds.length > 0) repairedQuery ??= text
    lists.push(productIds)
  }
  const productIds = [...new Set([...before.flat(), ...interleave(lists)])]
  return {
    productIds: productIds.slice(0, reach.end),
    total: productIds.length,
    repairedQuery,
    relaxed: null,
  }
}

/**
 * Runs the query unchanged. For a brand's name also finds the products named like the brand's own.
 */
async function findWithRelated(
  db: Db,
  query: SearchQuery,
  pairs: boolean,
  reach: SearchScope,
): Promise<DocumentMatches> {
  const options = { filter: reach.filter, pairs, wide: false }
  const found = await findDocuments(db, searchTiers(query, { ...options, related: [] }), reach)
  const isBrand =
    found.brandMatches.length > 0 && found.brandMatches[0] === found.productIds[0] && query.name === query.key
  if (!isBrand || found.brandMatches.length > maxBrandMatches) return found
  const names = await findProductNames(db, found.brandMatches)
  const related = [...new Set([...names.values()].map(nameKey))]
  return findDocuments(db, searchTiers(query, { ...options, related }), reach)
}

/** Interleaves lists without duplicates, so that no repair hides another. */
function interleave(lists: readonly string[][]): string[] {
  const maxLength = Math.max(0, ...lists.map((list) => list.length))
  const merged = new Set<string>()
  for (let i = 0; i < maxLength; i++)
    for (const list of lists) if (list[i] !== undefined) merged.add(list[i] ?? '')
  return [...merged]
}

/** A word as a user would type it. */
const formatWord = ({ text, kind }: Pick<QueryWord, 'text' | 'kind'>): string =>
  kind === 'strength' ? text.replace(/pct$/, '%') : text

/** Shorter brands are one letter away from too many words. */
const shortestBrand = 6

/** "zyrtek": the ingredient of a brand that is one edit away, when no word of ours is. */
function findMistypedBrand(text: string, others: readonly string[]): string | undefined {
  if (others.length > 0 || text.length < shortestBrand) return undefined
  return [...commonBrands].find(([brand]) => brand.length >= shortestBrand && withinOneEdit(brand, text))?.[1]
}

/** The query with each rare word in its far more common spelling. Null when there is none. */
async function correctRareWords(db: Db, { words }: SearchQuery): Promise<string | null> {
  const texts = await Promise.all(
    words.map(async ({ text, kind }) => {
      if (kind !== 'word' || !canBeMisspelled.test(text)) return formatWord({ text, kind })
      const found = await findSpellings(db, text)
      const ownProducts = found.find(({ word }) => word === text)?.products ?? 0
      const [best] = found.toSorted((a, b) => b.products - a.products)
      return ownProducts > 0 && best && best.products >= ownProducts * commonSpellingFactor ? best.word : text
    }),
  )
  return words.some((word, i) => word.kind === 'word' && word.text !== texts[i]) ? texts.join(' ') : null
}

/** Whether a word of a query names something, rather than a strength or form only. */
const namesMedicine = (text: string): boolean =>
  parseSearchQuery(text)?.words.some(
    (word) => word.kind === 'word' && word.text.length >= shortestName && !isPlainWord(word.text),
  ) ?? false

/**
 * The repaired texts that name a medicine: with the name of a product, a brand or an ingredient, or
 * the beginning of one. Among several words, a repair to any other word is mostly wrong: "dolor" is
 * no "color".
 */
async function keepNamed(db: Db, texts: readonly string[]): Promise<string[]> {
  const matches = texts.map((text) => {
    const query = parseSearchQuery(text)
    const words = query?.words.filter(
      ({ text: word, kind }) => kind === 'word' && word.length >= shortestName && !isPlainWord(word),
    )
    const terms = (words ?? []).flatMap(({ text: word }) => [
      exactly(mark.product + word),
      exactly(mark.brand + word),
      exactly(mark.ingredient + word),
      startingWith(`${mark.product}${word}_`),
    ])
    return [query?.name ? [...terms, startingWith(mark.brand + query.name)] : terms]
  })
  const found = await findDocumentIds(db, matches, 1)
  return texts.filter((_, i) => (found[i]?.length ?? 0) > 0)
}

type Repairs = {
  /** Corrected queries, the likeliest first. */
  texts: string[]
  /** Whether a word was replaced, and not only left out. */
  isRepaired: boolean
  /** Words that resemble no known word, left out of the texts. */
  unknown: QueryWord[]
}

async function listRepairs(db: Db, { words }: SearchQuery): Promise<Repairs> {
  const spellings = await Promise.all(
    words.map(async (word) => {
      const text = formatWord(word)
      if (word.kind !== 'word' || !canBeMisspelled.test(text) || isPlainWord(text))
        return { isKnown: true, others: new Array<string>() }
      // "Ph" for "f" is two edits but one mistake.
      const spelledLike = [...new Set([text, text.replaceAll('ph', 'f'), text.replace('f', 'ph')])]
      const near = (await Promise.all(spelledLike.map((spelled) => findSpellings(db, spelled))))
        .flat()
        .map((spelling) => spelling.word)
      const isKnown = near.includes(text)
      const others = [...findSynonyms(text), ...near.filter((known) => known !== text)]
      return { isKnown, others: others.slice(0, maxSpellings) }
    }),
  )
  // A brand that is not sold here stands for its ingredient.
  const foreign = spellings.flatMap(({ isKnown }, i) => (isKnown ? [] : [words[i]?.text ?? '']))
  const ingredients = foreign.length > 0 ? await findBrandIngredients(db, foreign) : new Map<string, string>()
  for (const [i, { isKnown, others }] of spellings.entries()) {
    const text = words[i]?.text ?? ''
    const generic = isKnown
      ? undefined
      : (findGeneric(text) ?? ingredients.get(text) ?? findMistypedBrand(text, others))
    if (generic !== undefined) others.splice(0, others.length, generic)
  }
  const unlike = spellings.flatMap(({ isKnown, others }, i) => (!isKnown && others.length === 0 ? [i] : []))
  await Promise.all(
    unlike.slice(0, maxDistantRepairs).map(async (i) => {
      const found = await findDistantSpellings(db, words[i]?.text ?? '')
      spellings[i]?.others.push(...found.slice(0, maxSpellings).map(({ word }) => word))
    }),
  )
  const unknown = words.filter((_, i) => !spellings[i]?.isKnown && spellings[i]?.others.length === 0)
  const misspelled = spellings.flatMap(({ isKnown, others }, i) => (!isKnown && others.length > 0 ? [i] : []))
  const rewrite = (replaced: ReadonlyMap<number, string>): string =>
    words
      .flatMap((word, i) => (unknown.includes(word) ? [] : [replaced.get(i) ?? formatWord(word)]))
      .join(' ')
  const isRepaired = misspelled.length > 0
  if (!isRepaired && unknown.length === 0) {
    // Every word is known, but no product has them all: one of them may be a misspelling. A whole
    // name is none.
    const named = await findDocumentIds(
      db,
      words.map(({ text }) => [[exactly(mark.product + text), exactly(mark.brand + text)]]),
      1,
    )
    const texts = spellings
      .flatMap(({ others }, i) =>
        (named[i]?.length ? [] : others).map((other) => rewrite(new Map([[i, other]]))),
      )
      .slice(0, maxRepairs)
    return { texts, isRepaired: false, unknown: [] }
  }
  let choices: Map<number, string>[] = [new Map()]
  for (const i of misspelled) {
    choices = (spellings[i]?.others ?? []).flatMap((other) =>
      choices.map((choice) => new Map(choice).set(i, other)),
    )
  }
  const texts = choices.slice(0, maxRepairs).map(rewrite)
  return { texts: texts.filter(namesMedicine), isRepaired, unknown }
}
