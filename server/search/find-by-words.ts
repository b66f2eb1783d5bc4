import type { FoundProducts } from '#db/search/count-offers.ts'
import { findDocuments, type DocumentMatches } from '#db/search/find-documents.ts'
import { findProductNames } from '#db/search/find-names.ts'
import { nameKey } from '#domain/search/search-words.ts'
import { searchTiers, widestMatch, type SearchFilter } from '#domain/search/search-tiers.ts'
import type { Db } from '#db/engine/client.ts'
import { findGeneric } from '#domain/catalog/common-brands.ts'
import { parseSearchQuery, type QueryWord, type SearchQuery } from '#domain/search/search-query.ts'
import { describeRelaxed, type RelaxedSearch } from '#domain/search/relaxed-search.ts'
import { correctRareWords, formatWord, filterNamedTexts, listRepairs } from './list-repairs.ts'
import { relaxQuery } from './relax-query.ts'

export type WordsFound = Pick<DocumentMatches, 'productIds' | 'total'> & {
  /** All of them, of which `productIds` are the first. */
  all: FoundProducts
  /** The corrected query, when the original one finds nothing or looks like a misspelling. */
  repairedQuery: string | null
  /** Set when words without a match were ignored. */
  relaxed: RelaxedSearch | null
}

type SearchScope = { filter: SearchFilter; among: readonly number[] | null; end: number; countTo: number }

/** A brand name of more products than this does not identify one product. */
const maxBrandMatches = 4
/** With fewer results than this, a rare word may be a directory's own misspelling. */
const minResults = 5

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
  if (result.isExactName) return toFoundMatches(result, reach)
  const generic = await findGenericFirst(db, query, result, reach)
  if (generic) return generic
  if (result.total >= minResults) return toFoundMatches(result, reach)
  if (result.total > 0) {
    const likelier = await correctRareWords(db, query)
    return likelier === null
      ? toFoundMatches(result, reach)
      : findRepaired(db, [result.productIds], [likelier], reach)
  }
  const wideResult = result.fallbackMatches ? await findWide(db, query, reach) : result
  if (wideResult.total > 0) return toFoundMatches(wideResult, reach)
  const { texts, isRepaired, unknown } = await listRepairs(db, query)
  const named = query.words.length > 1 ? await filterNamedTexts(db, texts) : texts
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

const nothing = toFoundProducts([], 0)

/** What a search of documents found. */
export const toFoundMatches = (
  { productIds, total, match }: DocumentMatches,
  { among }: Pick<SearchScope, 'among'>,
): WordsFound => ({
  productIds,
  total,
  all: { match, among },
  repairedQuery: null,
  relaxed: null,
})

/** A result of which all products are known, in order. */
export function toFoundProducts(productIds: readonly string[], end: number): WordsFound {
  return {
    productIds: productIds.slice(0, end),
    total: productIds.length,
    all: { productIds },
    repairedQuery: null,
    relaxed: null,
  }
}

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
  const typed =
    result.total > result.productIds.length
      ? await findWithRelated(db, query, true, { ...reach, end: reach.countTo + 1 })
      : result
  const productIds = [...new Set([...found.productIds, ...typed.productIds])]
  return {
    ...toFoundProducts(productIds, reach.end),
    repairedQuery: result.total === 0 ? found.repairedQuery : null,
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
  const found = named.fallbackMatches ? await findWide(db, relaxed, reach) : named
  // A repair replaces words one by one, so a word's place says which typed word it stands for.
  const ignored = known.filter((_, i) => !remaining.some(({ text }) => text === query.words[i]?.text))
  return {
    ...toFoundMatches(found, reach),
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
  const only = before.length === 0 && texts.length === 1 ? parseSearchQuery(texts[0] ?? '') : null
  if (only) {
    const found = await findWithRelated(db, only, false, reach)
    return { ...toFoundMatches(found, reach), repairedQuery: found.total > 0 ? (texts[0] ?? null) : null }
  }
  // Lists may overlap. To count their union, each is read up to the counting limit.
  const toEnd = { ...reach, end: reach.countTo + 1 }
  const lists = await Promise.all(
    texts.map(async (text) => {
      const repaired = parseSearchQuery(text)
      return repaired ? (await findWithRelated(db, repaired, false, toEnd)).productIds : []
    }),
  )
  const repairedQuery = texts.find((_, i) => (lists[i]?.length ?? 0) > 0) ?? null
  const productIds = [...new Set([...before.flat(), ...interleave(lists)])]
  return { ...toFoundProducts(productIds, reach.end), repairedQuery }
}

/**
 * Runs the query unchanged. For a brand's name also finds the products named like the brand's own.
 * When nothing is found, the result's `fallbackMatches` says whether a wide search finds anything.
 */
async function findWithRelated(
  db: Db,
  query: SearchQuery,
  pairs: boolean,
  reach: SearchScope,
): Promise<DocumentMatches> {
  const options = { filter: reach.filter, pairs, wide: false }
  // Only a typed query, which requires pairs, may be followed by a wide search.
  const fallback = pairs ? widestMatch(query, reach.filter) : null
  const found = await findDocuments(db, searchTiers(query, { ...options, related: [] }), {
    ...reach,
    fallback,
  })
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
