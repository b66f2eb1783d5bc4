import { exactly, mark, startingWith, type Match, type Term } from './match.ts'
import { soldTerm, type QueryWord, type SearchQuery } from './search-query.ts'

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
   * Also matches a word that names the manufacturer or starts a label word, and a strength in
   * another unit.
   */
  wide: boolean
  /**
   * Products with these names, after all others: the generics of the requested brand, in any form.
   */
  related: readonly string[]
}

/** The tier of products with a brand of exactly the query's name. */
export const brandTier = 1

/** Names only, for suggestions: products, then brands and ingredients that start with the query. */
export const nameTiers = (key: string): Match[] => [
  [[startingWith(mark.product + key)]],
  [[exactly(mark.brand + key)]],
  [[startingWith(mark.brand + key), startingWith(mark.ingredient + key)]],
]

/**
 * A query as tiers of matches, best first. The last tier includes all others. Names come first: a
 * product with this name, a brand with it, products that start with it, then brands and ingredients
 * that do. Then all words, then all words with the last as a prefix.
 */
export function searchTiers(query: SearchQuery, { filter, pairs, wide, related }: TierOptions): Match[] {
  const last = query.words.at(-1)
  const group = (word: QueryWord, prefixed: boolean): Term[] => [
    prefixed ? startingWith(word.text) : exactly(word.text),
    exactly(mark.wholeOnly + word.text),
    ...(word.other ? [exactly(word.other), exactly(mark.wholeOnly + word.other)] : []),
    ...(prefixed ? word.formCompletions.map((form) => exactly(mark.wholeOnly + form)) : []),
    ...(wide && prefixed ? [startingWith(mark.wholeOnly + word.text)] : []),
    ...(wide && word.kind === 'strength' ? [exactly(mark.converted + word.text)] : []),
    ...(wide && word.kind === 'word' ? [startingWith(mark.manufacturer + word.text)] : []),
  ]
  const prefixed = query.words.map((word) => group(word, word === last))
  const described = query.words.flatMap((word, i) => (word.kind === 'word' ? [] : [prefixed[i] ?? []]))
  // One variant must have the strength and the form, and be sold under each word of the name.
  const soldTerms = (pair: string, word: QueryWord): Term[] =>
    [word.text, ...(word.other ? [word.other] : [])].flatMap((text) =>
      [soldTerm(pair, text), soldTerm(null, text)].map(
        word === last && text === word.text ? startingWith : exactly,
      ),
    )
  const names = query.words.filter((word) => word.kind === 'word')
  const paired: Match = pairs
    ? query.pairs.flatMap((pair) => [[exactly(pair)], ...names.map((word) => soldTerms(pair, word))])
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
    named((key) => [startingWith(mark.product + key)]),
    named((key) => [exactly(mark.ingredient + key), startingWith(mark.brand + key)]),
    [...query.words.map((word) => group(word, false)), ...required],
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
