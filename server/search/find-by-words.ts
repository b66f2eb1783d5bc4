import { findDocuments, type Found } from '#db/search/find-documents.ts'
import { findProductNames } from '#db/search/find-names.ts'
import { nameKey } from '#domain/search/search-words.ts'
import { findSpellings } from '#db/search/find-spellings.ts'
import { searchTiers, type SearchFilter } from '#db/search/search-tiers.ts'
import type { Db } from '#db/engine/client.ts'
import { otherNames } from '#domain/catalog/other-names.ts'
import { parseSearchQuery, type QueryWord, type SearchQuery } from '#domain/search/search-query.ts'

export type WordsFound = Omit<Found, 'branded' | 'isNamed'> & {
  /** The query that was answered instead, when the one that was asked finds nothing as it stands. */
  repairedQuery: string | null
}

type Reach = { filter: SearchFilter; among: readonly number[] | null; end: number; countTo: number }

/** Shorter words are one edit from too many others. */
const spellable = /^\p{L}{4,}$/u
/** Bounds for what is tried when nothing was found. */
const mostSpellings = 4
const mostRepairs = 6
/** Beyond so many products, the brand of a name stands for no one medicine. */
const mostBranded = 4
/** With fewer results than this a word that hardly any product has may be a directory's own mistake, */
const fewResults = 5
/** when another spelling is so many times as common. */
const timesAsCommon = 20

/**
 * Finds products by words: names first, then all words in any order. When that finds nothing, strength and form may come from
 * two variants; then a word may name the maker; then each word is taken for another name or a mistyped one.
 */
export async function findByWords(db: Db, query: SearchQuery, page: Reach): Promise<WordsFound> {
  // The first few are always looked at, so that what follows from them is the same on every page.
  const reach = { ...page, end: Math.max(page.end, fewResults) }
  const asked = await findWithKin(db, query, true, reach)
  if (asked.total >= fewResults || asked.isNamed) return { ...asked, repairedQuery: null }
  if (asked.total > 0) {
    const likelier = await likelierQuery(db, query)
    return likelier === null
      ? { ...asked, repairedQuery: null }
      : findRepaired(db, [asked.productIds], [likelier], reach)
  }
  const find = (pairs: boolean, wide: boolean): Promise<Found> =>
    findDocuments(db, searchTiers(query, { filter: reach.filter, pairs, wide, related: [] }), reach)
  const apart = query.pairs.length > 0 ? await find(false, false) : asked
  const wide = apart.total > 0 ? apart : await find(false, true)
  if (wide.total > 0) return { ...wide, repairedQuery: null }
  return findRepaired(db, [], await repairsOf(db, query), reach)
}

/** Finds what each of these queries does, after what was found already; the repaired query is the first that finds anything. */
async function findRepaired(
  db: Db,
  before: readonly string[][],
  texts: readonly string[],
  reach: Reach,
): Promise<WordsFound> {
  const lists: string[][] = []
  let repairedQuery: string | null = null
  for (const text of texts) {
    const repaired = parseSearchQuery(text)
    if (!repaired) continue
    // Lists may overlap; to count them together each is read as far as counting goes.
    const { productIds } = await findWithKin(db, repaired, false, { ...reach, end: reach.countTo + 1 })
    if (productIds.length > 0) repairedQuery ??= text
    lists.push(productIds)
  }
  const productIds = [...new Set([...before.flat(), ...inTurn(lists)])]
  return { productIds: productIds.slice(0, reach.end), total: productIds.length, repairedQuery }
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

/** A word as a person reads it. */
const asTyped = ({ text, kind }: Pick<QueryWord, 'text' | 'kind'>): string =>
  kind === 'strength' ? text.replace(/pct$/, '%') : text

/** The query with each word that hardly any product has in its far more common spelling; null when there is none. */
async function likelierQuery(db: Db, { words }: SearchQuery): Promise<string | null> {
  const texts = await Promise.all(
    words.map(async ({ text, kind }) => {
      if (kind !== 'word' || !spellable.test(text)) return asTyped({ text, kind })
      const found = await findSpellings(db, text)
      const own = found.find(({ word }) => word === text)?.products ?? 0
      const [best] = found.toSorted((a, b) => b.products - a.products)
      return own > 0 && best && best.products >= own * timesAsCommon ? best.word : text
    }),
  )
  return words.some((word, i) => word.kind === 'word' && word.text !== texts[i]) ? texts.join(' ') : null
}

/** What the query may have meant, the likeliest first. */
async function repairsOf(db: Db, { words }: SearchQuery): Promise<string[]> {
  const texts = words.map(asTyped)
  const spellings = await Promise.all(
    texts.map(async (text) => {
      if (!spellable.test(text)) return { isKnown: true, others: [] }
      // "Ph" for "f" is two edits and one mistake.
      const heard = [...new Set([text, text.replaceAll('ph', 'f'), text.replace('f', 'ph')])]
      const found = (await Promise.all(heard.map((word) => findSpellings(db, word))))
        .flat()
        .map(({ word }) => word)
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
