/**
 * Prefixes of a document's marked words: a whole name as one word (of the product, a brand, an
 * ingredient), a word of a manufacturer's name, and filter values. SQLite's tokenizer treats these
 * characters as letters (migration 0004).
 */
export const mark = {
  product: '=',
  brand: '~',
  ingredient: '+',
  manufacturer: '@',
  manufacturerId: '%',
  category: '#',
  /**
   * A word of the label's form, or two words joined by a hyphen. Matched only as a whole word, not
   * as a prefix.
   */
  wholeOnly: '.',
  /** A strength in the neighboring unit: 0.05mg for 50mcg. */
  converted: '$',
} as const

/** With the mark of a category: a product of one ingredient. */
export const plainMark = 'plain'

export type Term = { word: string; prefix: boolean }
/** Every group must match, by any of its terms. */
export type Match = Term[][]

export const exactly = (word: string): Term => ({ word, prefix: false })
export const startingWith = (word: string): Term => ({ word, prefix: true })
