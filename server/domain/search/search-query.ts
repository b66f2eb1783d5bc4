import { findForm, formsStartingWith, keyOf, otherSpelling, splitWords, type Word } from './search-words.ts'

/** Longer queries are truncated. Every bound of a search follows from these two. */
export const maxQueryLength = 200
export const maxQueryWords = 12

export type QueryWord = {
  text: string
  kind: Word['kind'] | 'form'
  /** The form that the word names, or the word that it abbreviates. */
  other: string | null
  /** The forms that the word is a prefix of, when it is the last word of several. */
  formCompletions: string[]
}

/** A parsed text query. */
export type SearchQuery = {
  words: QueryWord[]
  /** The whole query as one name: "vitamin_d_1000_unit". */
  key: string
  /**
   * The name without strengths and forms: "metformin" for "metformin 500 mg tablet". May be empty.
   */
  name: string
  /** Strength and form pairs that one variant must have: "500mg|tablet". */
  pairs: string[]
}

/**
 * Stop words of English and French, dropped when other words remain. "a" and "d" stay: they are
 * vitamins.
 */
const stopWords: ReadonlySet<string> = new Set(
  'and or et ou with avec for pour of de du des la le les the in en au aux'.split(' '),
)

/**
 * The term for a strength and form (null: all of them) sold under a word of a name. The word comes
 * last, so that it can be matched as a prefix.
 */
export const soldTerm = (pair: string | null, word: string): string => `${pair ?? '|'}|${word}`

export const strengthFormPair = (strength: string, form: string): string => `${strength}|${form}`

/** Pharmacopoeias named on labels. */
const standards: ReadonlySet<string> = new Set(['usp', 'nf', 'bp'])

/** Parses a query. Null when it has no words. Never throws. */
export function parseSearchQuery(text: string): SearchQuery | null {
  const all = splitWords(text.slice(0, maxQueryLength)).slice(0, maxQueryWords)
  const meaningful = all.filter((word) => !standards.has(word.text))
  const significant = meaningful.filter((word, i) => i === meaningful.length - 1 || !stopWords.has(word.text))
  if (significant.length === 0) return null
  const words = significant.map(({ text, kind }, i): QueryWord => {
    const form = findForm(text)
    const other = otherSpelling(text)
    return {
      text,
      kind: form === undefined ? kind : 'form',
      other: other === text ? null : (other ?? null),
      formCompletions:
        i > 0 && i === significant.length - 1 && form === undefined ? formsStartingWith(text) : [],
    }
  })
  const forms = words.flatMap(({ text, kind }) => (kind === 'form' ? [findForm(text) ?? text] : []))
  const strengths = words.filter((word) => word.kind === 'strength')
  return {
    words,
    key: keyOf(all),
    name: keyOf(all.filter((word) => word.kind === 'word' && findForm(word.text) === undefined)),
    pairs: strengths.flatMap(({ text }) => forms.map((form) => strengthFormPair(text, form))),
  }
}
