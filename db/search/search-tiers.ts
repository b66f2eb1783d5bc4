import { saidOf, type QueryWord, type SearchQuery } from '#domain/search/search-query.ts'
import { beginning, exactly, mark, type Match, type Term } from './match.ts'

/** What every result must meet besides its words. */
export type SearchFilter = { category: string | null; manufacturerId: string | null }

export const filterMatch = ({ category, manufacturerId }: SearchFilter): Match => [
  ...(category ? [[exactly(mark.category + category.toLowerCase())]] : []),
  ...(manufacturerId ? [[exactly(mark.makerId + manufacturerId.replaceAll('-', ''))]] : []),
]

export type TierOptions = {
  filter: SearchFilter
  /** Asks that one variant has the strength and the form, not one variant each. */
  pairs: boolean
  /** Takes a word that names the maker or begins one of the label's, and a strength in another unit, as well. */
  wide: boolean
  /** Products of these names, after all others: the generics of the brand that was asked for, in whatever form. */
  related: readonly string[]
}

/** The tier of products that have a brand of just that name. */
export const brandTier = 1

/** Names alone, for suggestions: the tiers of products, then of brands and ingredients, that begin so. */
export const nameTiers = (key: string): Match[] => [
  [[beginning(mark.product + key)]],
  [[exactly(mark.brand + key)]],
  [[beginning(mark.brand + key), beginning(mark.ingredient + key)]],
]

/**
 * A query as tiers of matches, the nearest first; the last holds all the others. Names go first: a product of that name, a
 * brand of it, products that begin so, then brands that do and ingredients; then all words, then the last as a beginning.
 */
export function searchTiers(query: SearchQuery, { filter, pairs, wide, related }: TierOptions): Match[] {
  const last = query.words.at(-1)
  const group = (word: QueryWord, begun: boolean): Term[] => [
    begun ? beginning(word.text) : exactly(word.text),
    exactly(mark.aside + word.text),
    ...(word.other ? [exactly(word.other), exactly(mark.aside + word.other)] : []),
    ...(begun ? word.begins.map((form) => exactly(mark.aside + form)) : []),
    ...(wide && begun ? [beginning(mark.aside + word.text)] : []),
    ...(wide && word.kind === 'strength' ? [exactly(mark.converted + word.text)] : []),
    ...(wide && word.kind === 'word' ? [beginning(mark.maker + word.text)] : []),
  ]
  const begun = query.words.map((word) => group(word, word === last))
  const described = query.words.flatMap((word, i) => (word.kind === 'word' ? [] : [begun[i] ?? []]))
  // One variant has the strength and the form, and is sold under each word of the name.
  const said = (pair: string, word: QueryWord): Term[] =>
    [word.text, ...(word.other ? [word.other] : [])].flatMap((text) =>
      [saidOf(pair, text), saidOf(null, text)].map(word === last && text === word.text ? beginning : exactly),
    )
  const names = query.words.filter((word) => word.kind === 'word')
  const paired: Match = pairs
    ? query.pairs.flatMap((pair) => [[exactly(pair)], ...names.map((word) => said(pair, word))])
    : []
  const always: Match = [...paired, ...filterMatch(filter)]

  // The whole query is the name, or what is left of it is one and strength and form describe it.
  const named = (name: (key: string) => Term[]): Match => {
    const whole = name(query.key)
    if (query.name === '' || query.name === query.key) return [whole, ...always]
    return [[...whole, ...name(query.name)], ...described.map((terms) => [...whole, ...terms]), ...always]
  }
  const tiers = [
    named((key) => [exactly(mark.product + key)]),
    named((key) => [exactly(mark.brand + key)]),
    named((key) => [beginning(mark.product + key)]),
    named((key) => [exactly(mark.ingredient + key), beginning(mark.brand + key)]),
    [...query.words.map((word) => group(word, false)), ...always],
    [...begun, ...always],
  ]
  if (related.length > 0) {
    const kin = related.map((key) => exactly(mark.product + key))
    tiers.push([...[...begun, ...paired].map((terms) => [...terms, ...kin]), ...filterMatch(filter)])
  }
  return tiers
}
