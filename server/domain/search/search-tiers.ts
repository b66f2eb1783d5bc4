import { exactly, mark, plainMark, startingWith, type Match, type Term } from './match.ts'
import { soldTerm, type QueryWord, type SearchQuery } from './search-query.ts'
import { findForm } from './search-words.ts'

/** The filters that every result must match. */
export type SearchFilter = { category: string | null; manufacturerId: string | null }

export const filterMatch = ({ category, manufacturerId }: SearchFilter): Match => [
  ...(category ? [[exactly(mark.category + category.toLowerCase())]] : []),
  ...(manufacturerId ? [[exactly(mark.manufacturerId + manufacturerId.replaceAll('-', ''))]] : []),
]

export type TierOptions = {
  filter: SearchFilter
  /** Requires one variant to have both the strength and the form. */
  pairs: boolean
  /**
   * Also matches a word that names the manufacturer or starts a label word, the start of any word,
   * and a strength in another unit.
   */
  wide: boolean
  /**
   * Products with these names, after all others: the generics of the requested brand, in any form.
   */
  related: readonly string[]
}

/** The tier of products with a brand of exactly the query's name. */
export const brandTier = 1

/** A medicine of one ingredient comes before its combinations. */
const isPlain = exactly(mark.category + plainMark)

/**
 * Names only, for suggestions: the product of this name, products that start with it (of one
 * ingredient first), then brands and ingredients that do.
 */
export const nameTiers = (key: string): Match[] => [
  [[exactly(mark.product + key)], [isPlain]],
  [[startingWith(mark.product + key)], [isPlain]],
  [[startingWith(mark.product + key)]],
  [[exactly(mark.brand + key)]],
  [[startingWith(mark.brand + key)], [isPlain]],
  [[mark.product, mark.brand, mark.ingredient].map((kind) => startingWith(kind + key))],
]

/** Shorter words start too many others. */
const minWidePrefix = 4

/** The terms of which a product must have one to match a word. */
export function wordTerms(
  query: SearchQuery,
  word: QueryWord,
  { prefixed, lay = prefixed, wide }: { prefixed: boolean; lay?: boolean; wide: boolean },
): Term[] {
  // "Pen" alone is the beginning of a name rather than a form. A form of the directories means
  // itself first: "drops" are solutions only when nothing is called drops.
  const isLay = wide || (lay && query.words.length > 1 && findForm(word.text) === undefined)
  const isWidePrefix = wide && word.kind === 'word' && word.text.length >= minWidePrefix
  return [
    prefixed || isWidePrefix ? startingWith(word.text) : exactly(word.text),
    exactly(mark.wholeOnly + word.text),
    ...(word.other ? [exactly(word.other), exactly(mark.wholeOnly + word.other)] : []),
    ...(prefixed ? word.formCompletions.map((form) => exactly(mark.wholeOnly + form)) : []),
    ...(isLay ? word.labelWords.map((label) => exactly(mark.wholeOnly + label)) : []),
    ...(wide && prefixed ? [startingWith(mark.wholeOnly + word.text)] : []),
    ...(wide && word.kind === 'strength' ? [exactly(mark.converted + word.text)] : []),
    ...(wide && word.kind === 'word' ? [startingWith(mark.manufacturer + word.text)] : []),
  ]
}

/** What the last tier of a wide search matches: whatever any search of the query finds. */
export const widestMatch = (query: SearchQuery, filter: SearchFilter): Match => [
  ...query.words.map((word) =>
    wordTerms(query, word, { prefixed: word === query.words.at(-1), lay: true, wide: true }),
  ),
  ...filterMatch(filter),
]

/**
 * A query as tiers of matches, best first. The last tier includes all others. Names come first: a
 * product with this name, a brand with it, products that start with it (of one ingredient first),
 * then brands and ingredients that do. Then all words, then all words with the last as a prefix.
 */
export function searchTiers(query: SearchQuery, { filter, pairs, wide, related }: TierOptions): Match[] {
  const last = query.words.at(-1)
  const group = (word: QueryWord, prefixed: boolean, lay: boolean): Term[] =>
    wordTerms(query, word, { prefixed, lay, wide })
  const prefixed = query.words.map((word) => group(word, word === last, true))
  const described = query.words.flatMap((word, i) => (word.kind === 'word' ? [] : [prefixed[i] ?? []]))
  // One variant must have the strength and the form, and be sold under each word of the name.
  const soldTerms = (pairs: readonly string[], word: QueryWord): Term[] =>
    [word.text, ...(word.other ? [word.other] : [])].flatMap((text) =>
      [...pairs.map((pair) => soldTerm(pair, text)), soldTerm(null, text)].map(
        word === last && text === word.text ? startingWith : exactly,
      ),
    )
  const names = query.words.filter((word) => word.kind === 'word')
  const paired: Match = pairs
    ? query.pairs.flatMap((oneOf) => [oneOf.map(exactly), ...names.map((word) => soldTerms(oneOf, word))])
    : []
  const required: Match = [...paired, ...filterMatch(filter)]

  // Either the whole query is the name, or the rest of it is, with strength and form describing it.
  const named = (name: (key: string) => Term[]): Match => {
    const whole = name(query.key)
    if (query.name === '' || query.name === query.key) return [whole, ...required]
    return [[...whole, ...name(query.name)], ...described.map((terms) => [...whole, ...terms]), ...required]
  }
  const tiers = [
    named((key) => [exactly(mark.product + key)]),
    named((key) => [exactly(mark.brand + key)]),
    [...named((key) => [startingWith(mark.product + key)]), [isPlain]],
    named((key) => [startingWith(mark.product + key)]),
    named((key) => [exactly(mark.ingredient + key), startingWith(mark.brand + key)]),
    [...query.words.map((word) => group(word, false, false)), ...required],
    [...prefixed, ...required],
  ]
  if (related.length > 0) {
    const relatedNames = related.map((key) => exactly(mark.product + key))
    tiers.push([
      ...[...prefixed, ...paired].map((terms) => [...terms, ...relatedNames]),
      ...filterMatch(filter),
    ])
  }
  return tiers
}
