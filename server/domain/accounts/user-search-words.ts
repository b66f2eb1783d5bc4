import type { PersonName } from './accounts.ts'
import { fold } from '../text.ts'

/** The words that a user is found by: those of their name and email address, and their prefixes. */

/** Shorter prefixes would match nearly every user; longer ones would add hardly anything. */
export const prefixLengths = { min: 2, max: 12 } as const

/** How many words of a search query count. */
const maxWords = 8

/** A word without punctuation and diacritics: "O’Hara" equals "ohara", and "Zoë" equals "zoe". */
const foldWord = (text: string): string => fold(text).replaceAll(' ', '')

/** A word's longest indexed prefix. */
export const indexedPrefix = (word: string): string => [...word].slice(0, prefixLengths.max).join('')

/** Every word and prefix that a user is indexed under. */
export function personSearchWords({
  email,
  firstName,
  lastName,
}: PersonName & { email: string }): Set<string> {
  const at = email.lastIndexOf('@')
  const addressParts = [email, email.slice(0, Math.max(at, 0)), email.slice(at + 1)]
  const names = `${firstName ?? ''} ${lastName ?? ''}`.split(/\s+/)
  const words = [...addressParts, ...names].flatMap((part) => [foldWord(part), ...fold(part).split(' ')])
  const indexed = new Set<string>()
  for (const word of words) {
    if (word !== '') indexed.add(word)
    const letters = [...word]
    for (let n = prefixLengths.min; n <= Math.min(letters.length, prefixLengths.max); n++) {
      indexed.add(letters.slice(0, n).join(''))
    }
  }
  return indexed
}

/**
 * The words of a search query, all of which must match. A single letter, which begins half of all
 * names, is ignored unless there is nothing else.
 */
export function querySearchWords(typed: string): string[] {
  const words = [...new Set(typed.split(/\s+/).map(foldWord))].filter((word) => word !== '')
  const long = words.filter((word) => [...word].length >= prefixLengths.min)
  return (long.length > 0 ? long : words).slice(0, maxWords)
}
