import { formOf, formsBegunBy, keyOf, otherSpelling, wordsOf, type Word } from './search-words.ts'

/** Longer queries are cut: nobody types them, and every bound of a search follows from these two. */
export const longestQuery = 200
export const mostWords = 12

export type QueryWord = {
  text: string
  kind: Word['kind'] | 'form'
  /** What the word stands for besides itself: the form it names, what it abbreviates. */
  other: string | null
  /** The forms it begins to name, when it is the last and others stand before it. */
  begins: string[]
}

/** What a person asks for in words. */
export type SearchQuery = {
  words: QueryWord[]
  /** The whole query as one name: "vitamin_d_1000_unit". */
  key: string
  /** What is left as a name without strengths and forms: "metformin" of "metformin 500 mg tablet"; empty when nothing is. */
  name: string
  /** The strengths and forms as pairs that one variant must have: "500mg|tablet". */
  pairs: string[]
}

/** Little words of both languages say nothing when others are there. "a" and "d" do: vitamins. */
const littleWords: ReadonlySet<string> = new Set(
  'and or et ou with avec for pour of de du des la le les the in en au aux'.split(' '),
)

/** That a strength and form (null: all of them) is sold under a word of a name. The word stands last, so that it may be begun. */
export const saidOf = (pair: string | null, word: string): string => `${pair ?? '|'}|${word}`

export const pairOf = (strength: string, form: string): string => `${strength}|${form}`

/** The pharmacopoeia that a label names. */
const standards: ReadonlySet<string> = new Set(['usp', 'nf', 'bp'])

/** Reads a query; null when there is no word in it. Never throws, whatever the text. */
export function parseSearchQuery(text: string): SearchQuery | null {
  const all = wordsOf(text.slice(0, longestQuery)).slice(0, mostWords)
  const asked = all.filter((word) => !standards.has(word.text))
  const telling = asked.filter((word, i) => i === asked.length - 1 || !littleWords.has(word.text))
  if (telling.length === 0) return null
  const words = telling.map(({ text, kind }, i): QueryWord => {
    const form = formOf(text)
    const other = otherSpelling(text)
    return {
      text,
      kind: form === undefined ? kind : 'form',
      other: other === text ? null : (other ?? null),
      begins: i > 0 && i === telling.length - 1 && form === undefined ? formsBegunBy(text) : [],
    }
  })
  const forms = words.flatMap(({ text, kind }) => (kind === 'form' ? [formOf(text) ?? text] : []))
  const strengths = words.filter((word) => word.kind === 'strength')
  return {
    words,
    key: keyOf(all),
    name: keyOf(all.filter((word) => word.kind === 'word' && formOf(word.text) === undefined)),
    pairs: strengths.flatMap(({ text }) => forms.map((form) => pairOf(text, form))),
  }
}
