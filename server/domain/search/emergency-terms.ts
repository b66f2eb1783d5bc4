import { fold } from '../text.ts'
import { withinOneEdit } from './edit-distance.ts'
import { emergencyPhrases, type EmergencyKind, type EmergencyLanguage } from './emergency-phrases.ts'

/** Everyday rashes: not poisoning. */
const plantRashes = /\bpoison(?:ous)? (?:ivy|oak|sumac|ivey)\b/g

/**
 * What animals do to people, and medicines that are named after them: "allergic to dogs", "cat
 * hair", "thymocyte globulin (rabbit)".
 */
const animalAllergies =
  /\b(?:allerg\w+ to|bitten by|scratched by)(?: an?| my| the)? \w+|\b(?:\w*globulin|e z) \w+|\bcat (?=felis)|\b\w+(?: s)? (?:allerg\w+|bites?|claws?|chestnut|dander|epitheli\w+|feathers?|fennel|fly|fleas?|bush|hairs?|meat|milk|pelts?|scans?|scratch(?:es)?)\b/g

const mistypedFrom = 6

/** Words that are one letter away from a term and mean something else. */
const otherWords: ReadonlySet<string> = new Set([
  'poisons',
  'unresponsible',
  'strike',
  'struck',
  'seizer',
  'sizing',
  'cooking',
])

/** Which help a search needs, and the language of the words that say so. */
export type Emergency = { kind: EmergencyKind; language: EmergencyLanguage }

type Phrase = Emergency & { words: readonly string[]; initial: string; allowsMistake: boolean }

/**
 * English last: its words match with a typing mistake, and the Spanish "anafilaxia" is not one.
 * Spanish and French searches also contain English words.
 */
const byLanguage = emergencyPhrases.toSorted(
  (a, b) => Number(a.language === 'en') - Number(b.language === 'en'),
)

/**
 * Only English terms for people may be mistyped: with one other letter, the others are names of
 * medicines ("noyade", "perrito").
 */
const phrasesOf = (...kinds: EmergencyKind[]): Phrase[] =>
  kinds.flatMap((kind) =>
    byLanguage.flatMap(({ language, terms }) =>
      terms[kind].split(',').map((term) => ({
        kind,
        language,
        words: term.trim().split(/\s+/),
        initial: term.trim().charAt(0),
        allowsMistake: language === 'en' && kind !== 'animal',
      })),
    ),
  )

/** A query that names several is answered with the first. */
const forPeople = phrasesOf('crisis', 'poison', 'emergency')
const forAnimals = phrasesOf('animal')

const isSameWord = (typed: string | undefined, word: string): boolean =>
  typed === word ||
  (typed !== undefined &&
    word.length >= mistypedFrom &&
    typed.length >= mistypedFrom &&
    typed[0] === word[0] &&
    !otherWords.has(typed) &&
    withinOneEdit(typed, word))

/** Ten times what a search reads: the words that matter may come last. */
export const maxTypedLength = 2000

const findPhrase = (text: string, phrases: readonly Phrase[]): Emergency | null => {
  const words = text.split(' ').filter(Boolean)
  const initials = words.map(([initial]) => initial).join('')
  const found = phrases.find(({ words: term, initial, allowsMistake }) => {
    // A mistyped word has its first letter, too. Few of the phrases start like a word of the query.
    if (!initials.includes(initial)) return false
    const matches = allowsMistake ? isSameWord : (typed: string | undefined, word: string) => typed === word
    return words.some((_, at) => term.every((word, i) => matches(words[at + i], word)))
  })
  return found ? { kind: found.kind, language: found.language } : null
}

/**
 * The help that a query needs instead of medicines, and in which language; or null. A term
 * matches anywhere, word by word; English words of six letters and more match with one typing
 * mistake. Never throws.
 */
export function findEmergency(text: string): Emergency | null {
  const typed = fold(text.slice(0, maxTypedLength))
  return (
    findPhrase(typed.replace(plantRashes, ' '), forPeople) ??
    findPhrase(typed.replace(animalAllergies, ' '), forAnimals)
  )
}
