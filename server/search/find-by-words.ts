import { findDocuments, type DocumentMatches } from '#db/search/find-documents.ts'
import { findProductNames } from '#db/search/find-names.ts'
import { nameKey } from '#domain/search/search-words.ts'
import { findSpellings } from '#db/search/find-spellings.ts'
import { searchTiers, type SearchFilter } from '#domain/search/search-tiers.ts'
import type { Db } from '#db/engine/client.ts'
import { findSynonyms } from '#domain/catalog/synonyms.ts'
import { parseSearchQuery, type QueryWord, type SearchQuery } from '#domain/search/search-query.ts'

export type WordsFound = Omit<DocumentMatches, 'brandMatches' | 'isExactName'> & {
  /** The corrected query, when the original one finds nothing or looks like a misspelling. */
  repairedQuery: string | null
}

type SearchScope = { filter: SearchFilter; among: readonly number[] | null; end: number; countTo: number }

/** Shorter words are within one edit of too many others. */
const shortestRepaired = 4
const canBeMisspelled = new RegExp(`^\\p{L}{${shortestRepaired},}$`, 'u')
const hasLongWord = new RegExp(`\\p{L}{${shortestRepaired}}`, 'u')
/** Bounds of the repairs tried when nothing is found. */
const maxSpellings = 4
const maxRepairs = 6
/** A brand name of more products than this does not identify one product. */
const maxBrandMatches = 4
/** With fewer results than this, a rare word may be a directory's own misspelling, */
const minResults = 5
/** if another spelling is this many times as common. */
const commonSpellingFactor = 20

/**
 * Finds products by words: names first, then all words in any order. If that finds nothing,
 * strength and form may come from two variants; then a word may name the manufacturer; then each
 * word is replaced by a synonym or a corrected spelling.
 */
export async function findByWords(db: Db, query: SearchQuery, page: SearchScope): Promise<WordsFound> {
  // The first few results are always examined, so that the decisions based on them are the same on
  // every page.
  const reach = { ...page, end: Math.max(page.end, minResults) }
  const result = await findWithRelated(db, query, true, reach)
  if (result.total >= minResults || result.isExactName) return { ...result, repairedQuery: null }
  if (result.total > 0) {
    const likelier = await correctRareWords(db, query)
    return likelier === null
      ? { ...result, repairedQuery: null }
      : findRepaired(db, [result.productIds], [likelier], reach)
  }
  const find = (pairs: boolean, wide: boolean): Promise<DocumentMatches> =>
    findDocuments(db, searchTiers(query, { filter: reach.filter, pairs, wide, related: [] }), reach)
  const separate = query.pairs.length > 0 ? await find(false, false) : result
  const wideResult = separate.total > 0 ? separate : await find(false, true)
  if (wideResult.total > 0) return { ...wideResult, repairedQuery: null }
  return findRepaired(db, [], await listRepairs(db, query), reach)
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
  return { productIds: productIds.slice(0, reach.end), total: productIds.length, repairedQuery }
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

/** Corrected queries, the likeliest first. */
async function listRepairs(db: Db, { words }: SearchQuery): Promise<string[]> {
  const texts = words.map(formatWord)
  const spellings = await Promise.all(
    texts.map(async (text) => {
      if (!canBeMisspelled.test(text)) return { isKnown: true, others: [] }
      // "Ph" for "f" is two edits but one mistake.
      const spelledLike = [...new Set([text, text.replaceAll('ph', 'f'), text.replace('f', 'ph')])]
      const found = (await Promise.all(spelledLike.map((word) => findSpellings(db, word))))
        .flat()
        .map(({ word }) => word)
      const others = [...findSynonyms(text), ...found.filter((word) => word !== text).slice(0, maxSpellings)]
      // A word with no similar word is dropped, as long as other words remain.
      return { isKnown: found.includes(text), others: others.length > 0 || found.length > 0 ? others : [''] }
    }),
  )
  const unknown = spellings.flatMap(({ isKnown, others }, i) => (!isKnown && others.length > 0 ? [i] : []))
  const rewrite = (replaced: ReadonlyMap<number, string>): string =>
    texts
      .map((text, i) => replaced.get(i) ?? text)
      .filter(Boolean)
      .join(' ')
  if (unknown.length === 0) {
    // Every word is known, but no product has them all: one of them may be a misspelling.
    return spellings
      .flatMap(({ others }, i) => others.map((other) => rewrite(new Map([[i, other]]))))
      .slice(0, maxRepairs)
  }
  let choices: Map<number, string>[] = [new Map()]
  for (const i of unknown) {
    choices = (spellings[i]?.others ?? []).flatMap((other) =>
      choices.map((choice) => new Map(choice).set(i, other)),
    )
  }
  const repairs = choices.slice(0, maxRepairs).map(rewrite)
  return repairs.filter((text) => hasLongWord.test(text))
}
