import { normalizeEmail } from './accounts.ts'

/**
 * Finds the passwords that an attacker tries first (NIST SP 800-63B, 3.1.1.2; OWASP ASVS 5.0,
 * 6.2.4, 6.2.11 and 6.2.12). What a password must contain is not prescribed.
 */
export type Weakness = 'common' | 'pattern' | 'predictable'

/** The words that this shop, or any account, suggests. */
const predictableWords = [
  'meridian',
  'pharmacy',
  'password',
  'passw0rd',
  'p@ssword',
  'p@ssw0rd',
  'welcome',
  'letmein',
  'qwerty',
  'admin',
]

/** Rows of a US keyboard, the alphabet and the digits, each in both directions. */
const sequences = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  '`1234567890-=',
  'qwertyuiop[]\\',
  "asdfghjkl;'",
  'zxcvbnm,./',
].flatMap((row) => [row, [...row].toReversed().join('')])

/** A pattern of at most this many parts is as easy to guess as that many characters. */
const maxParts = 3

/**
 * Why a new password is easy to guess; null when it is not. Case, Unicode forms and what surrounds
 * a common password do not matter.
 * @param isCommon whether a folded password is on the list of common ones
 */
export function findWeakness(
  password: string,
  email: string,
  isCommon: (folded: string) => boolean,
): Weakness | null {
  const folded = foldPassword(password)
  if (isPattern([...folded])) return 'pattern'
  if (isCommon(folded) || isCommon(trimSymbols(folded))) return 'common'
  return consistsOf(folded, [...addressWords(email), ...predictableWords]) ? 'predictable' : null
}

/** The form in which passwords are compared with the list. */
export const foldPassword = (password: string): string => password.normalize('NFKC').toLowerCase()

/** Without the characters before the first and after the last letter or digit. */
const trimSymbols = (text: string): string => {
  const characters = [...text]
  const isPlain = (character: string) => /[\p{L}\p{N}]/u.test(character)
  const first = characters.findIndex(isPlain)
  return first < 0 ? '' : characters.slice(first, characters.findLastIndex(isPlain) + 1).join('')
}

/** Whether these are a few repeated characters or runs, or a few characters over and over. */
const isPattern = (characters: readonly string[]): boolean =>
  countRuns(characters) <= maxParts ||
  [1, 2, 3, 4].some((period) => characters.every((one, at) => at < period || one === characters[at - period]))

/** The number of repetitions ("aaaa") and sequences ("4567", "lkjh") that make up a text. */
function countRuns(characters: readonly string[]): number {
  let runs = 0
  let follows: ((pair: string) => boolean) | null = null
  characters.forEach((character, at) => {
    const pair = (characters[at - 1] ?? '') + character
    if (at > 0 && follows?.(pair)) return
    const next = characters[at + 1]
    runs++
    follows = next === undefined ? null : findRun(character, next)
  })
  return runs
}

/** Whether a pair goes on with the run that these two start; null when they start none. */
function findRun(first: string, second: string): ((pair: string) => boolean) | null {
  if (first === second) return (pair) => pair === first + second
  const row = sequences.find((sequence) => sequence.includes(first + second))
  return row === undefined ? null : (pair) => row.includes(pair)
}

/** The address, its local part and the words in both. */
const addressWords = (email: string): string[] => {
  const address = normalizeEmail(email)
  return [address, address.slice(0, address.lastIndexOf('@')), ...address.split(/[^\p{L}\p{N}]+/u)]
}

/** Whether nothing but digits and symbols remains without these words, the longest first. */
function consistsOf(text: string, words: readonly string[]): boolean {
  const known = words.filter((word) => word.length > 0).toSorted((a, b) => b.length - a.length)
  const rest = known.reduce((left, word) => left.replaceAll(word, ' '), text)
  return rest !== text && !/\p{L}/u.test(rest)
}
