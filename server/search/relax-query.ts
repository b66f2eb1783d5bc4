import { findDocumentIds } from '#db/search/find-documents.ts'
import type { Db } from '#db/engine/client.ts'
import { isPlainWord, isRouteWord } from '#domain/search/lay-words.ts'
import { exactly, mark, startingWith, type Match } from '#domain/search/match.ts'
import type { QueryWord, SearchQuery } from '#domain/search/search-query.ts'
import { filterMatch, wordTerms, type SearchFilter } from '#domain/search/search-tiers.ts'

/** Words found in more products than this are equally common. */
const maxCount = 100
/** The most products compared to find which words go together. */
const maxCompared = 300

/** Shorter words say too little alone: the "d" of "d'estomac". */
const shortestCore = 3

/** How much a word says about which medicine is meant. */
const trust = { product: 4, brand: 3, partOfName: 2, word: 1, plain: 0 } as const

/**
 * The words of a query that one product has, in their order, when no product has them all. The
 * most telling word is kept: a whole name rather than a part of one, any other word rather than
 * plain English, and a word as typed rather than a repaired one. Then each further word that still
 * finds something; plain English only with the medicine itself. Null when no word tells what is
 * meant.
 */
export async function relaxQuery(
  db: Db,
  query: SearchQuery,
  { filter, typed }: { filter: SearchFilter; typed: SearchQuery },
): Promise<QueryWord[] | null> {
  const { words } = query
  const filtered = filterMatch(filter)
  const matchOf = (word: QueryWord): Match => [
    wordTerms(query, word, { prefixed: false, lay: true, wide: true }),
  ]
  const repairs = (word: QueryWord): number => (typed.words.some(({ text }) => text === word.text) ? 0 : 1)
  const evidence = await findDocumentIds(
    db,
    words.flatMap((word) => [
      ...namesOf(word.text).map((match) => [...match, ...filtered]),
      [...matchOf(word), ...filtered],
    ]),
    maxCount,
  )
  const ranked = words
    .map((word, i) => {
      const [products = [], brands = [], parts = [], found = []] = evidence.slice(i * 4, i * 4 + 4)
      const rank = isPlainWord(word.text)
        ? trust.plain
        : products.length > 0
          ? trust.product
          : brands.length > 0
            ? trust.brand
            : parts.length > 0
              ? trust.partOfName
              : trust.word
      return { word, rank, count: found.length }
    })
    .filter(({ count }) => count > 0)
    .toSorted(
      (a, b) =>
        b.rank - a.rank ||
        repairs(a.word) - repairs(b.word) ||
        (a.rank >= trust.brand ? 0 : a.count - b.count),
    )
  const core = ranked.find(
    ({ word, rank }) => word.kind === 'word' && rank > trust.plain && word.text.length >= shortestCore,
  )
  if (!core) return null
  const isNamed = ({ word, rank }: (typeof ranked)[number]): boolean =>
    word.kind === 'word' && rank >= trust.partOfName
  const others = ranked.filter((candidate) => candidate !== core)
  const inOrder = [
    ...others.filter(isNamed),
    ...others.filter(({ word }) => word.kind !== 'word'),
    ...others.filter((candidate) => candidate.word.kind === 'word' && !isNamed(candidate)),
  ].map(({ word }) => unitOf(words, word))
  const shared = await findDocumentIds(
    db,
    inOrder.map((unit) => [
      ...(core.rank >= trust.brand && unit.every(({ text }) => isPlainWord(text))
        ? [namesOf(core.word.text).slice(0, 2).flat(2)]
        : matchOf(core.word)),
      ...unit.flatMap(matchOf),
      ...filtered,
    ]),
    maxCompared,
  )
  const remaining = new Set([core.word])
  let current: ReadonlySet<number> | null = null
  for (const [i, unit] of inOrder.entries()) {
    const ids: number[] = shared[i] ?? []
    const both: number[] = current ? ids.filter((id) => current?.has(id)) : ids
    if (both.length === 0) continue
    current = new Set(both)
    for (const word of unit) remaining.add(word)
  }
  return words.filter((word) => remaining.has(word))
}

/** A word with those that it is kept or ignored with: a route and the form beside it. */
function unitOf(words: readonly QueryWord[], word: QueryWord): QueryWord[] {
  if (word.kind !== 'form') return [word]
  const at = words.indexOf(word)
  const neighbors = [words[at - 1], words[at + 1]].filter(
    (other) => other?.kind === 'form' && isRouteWord(other.text) !== isRouteWord(word.text),
  )
  return [word, ...neighbors.filter((other) => other !== undefined)]
}

/** The matches of products or brands with exactly this name, and of names that it is a part of. */
const namesOf = (text: string): Match[] => [
  [[exactly(mark.product + text)]],
  [[exactly(mark.brand + text)]],
  [
    [
      exactly(mark.ingredient + text),
      startingWith(`${mark.product}${text}_`),
      startingWith(`${mark.brand}${text}_`),
    ],
  ],
]
