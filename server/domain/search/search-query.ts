import { findLabelWords } from './lay-words.ts'
import {
  findAbbreviated,
  findForm,
  formsStartingWith,
  keyOf,
  otherSpelling,
  splitWords,
  type Word,
} from './search-words.ts'

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
  /** The label's words that a lay word for a form or a route stands for: "pill", "pen", "eye". */
  labelWords: readonly string[]
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
  /**
   * For each strength and form, the pairs of which one variant must have one: "500mg|tablet". A
   * number without a unit and "pill" have several.
   */
  pairs: string[][]
}

/**
 * Stop words of English and French, dropped when other words remain. "a" and "d" stay: they are
 * vitamins.
 */
const stopWords: ReadonlySet<string> = new Set(
  'and or et ou with avec for pour of de du des la le les the in en au aux my to is are'.split(' '),
)

/**
 * The term for a strength and form (null: all of them) sold under a word of a name. The word comes
 * last, so that it can be matched as a prefix.
 */
export const soldTerm = (pair: string | null, word: string): string => `${pair ?? '|'}|${word}`

export const strengthFormPair = (strength: string, form: string): string => `${strength}|${form}`

/** The units of a strength typed without one: "ciprofloxacin 500 tablet". */
const assumedUnits = ['mg', 'mcg', 'g', 'unit', 'pct'] as const

/** Pharmacopoeias named on labels. */
const standards: ReadonlySet<string> = new Set(['usp', 'nf', 'bp'])

/** "hctz" as its ingredient, so that the medicine comes first. As typed, the word still matches. */
const expand = (word: Word): Word & { abbreviation?: string } => {
  const text = findAbbreviated(word.text)
  return text === undefined ? word : { ...word, text, parts: [text], abbreviation: word.text }
}

/** Parses a query. Null when it has no words. Never throws. */
export function parseSearchQuery(text: string): SearchQuery | null {
  const all = splitWords(text.slice(0, maxQueryLength)).slice(0, maxQueryWords).map(expand)
  const meaningful = all.filter((word) => !standards.has(word.text))
  const significant = meaningful.filter((word, i) => i === meaningful.length - 1 || !stopWords.has(word.text))
  if (significant.length === 0) return null
  const words = significant.map(({ text, kind, abbreviation }, i): QueryWord => {
    const form = findForm(text)
    const labelWords = findLabelWords(text)
    const other = abbreviation ?? otherSpelling(text)
    return {
      text,
      kind: form === undefined && labelWords.length === 0 ? kind : 'form',
      other: other === text ? null : (other ?? null),
      formCompletions:
        i > 0 && i === significant.length - 1 && form === undefined ? formsStartingWith(text) : [],
      labelWords,
    }
  })
  const forms = words.flatMap(({ text, kind, labelWords }) => {
    const form = findForm(text)
    return kind === 'form' ? [form === undefined ? labelWords : [form]] : []
  })
  const amounts = words.flatMap(({ text, kind }) =>
    kind === 'strength' ? [[text]] : kind === 'number' ? [assumedUnits.map((unit) => text + unit)] : [],
  )
  return {
    words,
    key: keyOf(all),
    name: keyOf(all.filter((word) => word.kind === 'word' && !isDescribing(word.text))),
    pairs: amounts.flatMap((strengths) =>
      forms.map((names) =>
        strengths.flatMap((strength) => names.map((form) => strengthFormPair(strength, form))),
      ),
    ),
  }
}

/** Whether a word names a form or a route. */
const isDescribing = (text: string): boolean =>
  findForm(text) !== undefined || findLabelWords(text).length > 0
