import { findDocuments, type Found } from '#db/search/find-documents.ts'
import { findProductNames } from '#db/search/find-names.ts'
import { nameKey } from '#domain/search-words.ts'
import { findSpellings } from '#db/search/find-spellings.ts'
import { searchTiers, type SearchFilter } from '#db/search/search-tiers.ts'
import type { Db } from '#db/client.ts'
import { otherNames } from '#domain/other-names.ts'
import { parseSearchQuery, type SearchQuery } from '#domain/search-query.ts'

export type WordsFound = Omit<Found, 'branded'> & {
  /** The query that was answered instead, when the one that was asked finds nothing as it stands. */
  repairedQuery: string | null
}

type Reach = { filter: SearchFilter; among: readonly number[] | null; end: number; countTo: number }

/** Bounds for what is tried when nothing was found. */
const mostSpellings = 4
const mostRepairs = 6

/** Beyond so many, the brand of a name stands for no one medicine. */
const mostBranded = 4

/**
 * Finds products by words: names first, then all words in any order. When that finds nothing, strength and form may come from
 * two variants; then a word may name the maker; then each word is taken for another name or a mistyped one.
 */
export async function findByWords(db: Db, query: SearchQuery, reach: Reach): Promise<WordsFound> {
  const asked = await findWithKin(db, query, true, reach)
  if (asked.total > 0) return { ...asked, repairedQuery: null }
  const find = (pairs: boolean, wide: boolean): Promise<Found> =>
    findDocuments(db, searchTiers(query, { filter: reach.filter, pairs, wide, related: [] }), reach)
  const apart = query.pairs.length > 0 ? await find(false, false) : asked
  const wide = apart.total > 0 ? apart : await find(false, true)
  if (wide.total > 0) return { ...wide, repairedQuery: null }

  const repairs: { text: string; found: Found }[] = []
  for (const text of await repairsOf(db, query)) {
    const repaired = parseSearchQuery(text)
    const found = repaired && (await findWithKin(db, repaired, false, reach))
    if (found && found.total > 0) repairs.push({ text, found })
  }
  return {
    productIds: inTurn(repairs.map(({ found }) => found.productIds)).slice(0, reach.end),
    total: repairs.reduce((sum, { found }) => sum + found.total, 0),
    repairedQuery: repairs[0]?.text ?? null,
  }
}

/** Finds the query as it stands; for a brand's name also the products that are named as the brand's own. */
async function findWithKin(db: Db, query: SearchQuery, pairs: boolean, reach: Reach): Promise<Found> {
  const options = { filter: reach.filter, pairs, wide: false }
  const found = await findDocuments(db, searchTiers(query, { ...options, related: [] }), reach)
  const isBrand =
    found.branded.length > 0 && found.branded[0] === found.productIds[0] && query.name === query.key
  if (!isBrand || found.branded.length > mostBranded) return found
  const names = await findProductNames(db, found.branded)
  const related = [...new Set([...names.values()].map(nameKey))]
  return findDocuments(db, searchTiers(query, { ...options, related }), reach)
}

/** The first of each list, then the second of each …, nothing twice: no repair hides another. */
function inTurn(lists: readonly string[][]): string[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  const taken = new Set<string>()
  for (let i = 0; i < longest; i++)
    for (const list of lists) if (list[i] !== undefined) taken.add(list[i] ?? '')
  return [...taken]
}

/** What the query may have meant, the likeliest first. */
async function repairsOf(db: Db, { words }: SearchQuery): Promise<string[]> {
  const texts = words.map((word) => word.text)
  const spellings = await Promise.all(
    texts.map(async (text) => {
      if (!/^\p{L}{4,}$/u.test(text)) return { isKnown: true, others: [] }
      const found = (await findSpellings(db, text)).map(({ word }) => word)
      const others = [...otherNames(text), ...found.filter((word) => word !== text).slice(0, mostSpellings)]
      // A word that nothing is like says nothing, as long as others do.
      return { isKnown: found.includes(text), others: others.length > 0 || found.length > 0 ? others : [''] }
    }),
  )
  const unknown = spellings.flatMap(({ isKnown, others }, i) => (!isKnown && others.length > 0 ? [i] : []))
  const written = (replaced: ReadonlyMap<number, string>): string =>
    texts
      .map((text, i) => replaced.get(i) ?? text)
      .filter(Boolean)
      .join(' ')
  if (unknown.length === 0) {
    // Every word is known, but no product has them all: one of them may be another's mistake.
    return spellings
      .flatMap(({ others }, i) => others.map((other) => written(new Map([[i, other]]))))
      .slice(0, mostRepairs)
  }
  let choices: Map<number, string>[] = [new Map()]
  for (const i of unknown) {
    choices = (spellings[i]?.others ?? []).flatMap((other) =>
      choices.map((choice) => new Map(choice).set(i, other)),
    )
  }
  const repairs = choices.slice(0, mostRepairs).map(written)
  return repairs.filter((text) => /\p{L}{4}/u.test(text))
}
