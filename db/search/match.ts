import type { Engine } from '../engine/client.ts'

/**
 * What a marked word of a document says: a whole name as one word (of the product, a brand, an ingredient), a word of a
 * maker's name, and what the filters ask for. SQLite's tokenizer takes these signs as letters (migration 0004).
 */
export const mark = {
  product: '=',
  brand: '~',
  ingredient: '+',
  maker: '@',
  makerId: '%',
  category: '#',
  /** A word of the label's form, or two that a hyphen joins: it counts when asked for whole, not as what a name begins with. */
  aside: '.',
  /** A strength in the unit next to its own: 0.05mg for 50mcg. */
  converted: '$',
} as const

export type Term = { word: string; prefix: boolean }
/** Every group must be met, by any of its terms. */
export type Match = Term[][]

export const exactly = (word: string): Term => ({ word, prefix: false })
export const beginning = (word: string): Term => ({ word, prefix: true })

/** The match in the engine's own full-text language. The words come from `wordsOf` and hold no quotes. */
export function matchText(engine: Engine, match: Match): string {
  const term =
    engine === 'sqlite'
      ? ({ word, prefix }: Term) => `"${word}"${prefix ? '*' : ''}`
      : ({ word, prefix }: Term) => `'${word}'${prefix ? ':*' : ''}`
  const [or, and] = engine === 'sqlite' ? [' OR ', ' AND '] : [' | ', ' & ']
  return match
    .map((group) => (group.length === 1 ? group.map(term).join('') : `(${group.map(term).join(or)})`))
    .join(and)
}
