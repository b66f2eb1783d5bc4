import type { PersonName } from './accounts.ts'
import { fold } from '../text.ts'

/** What somebody is looked up by: the words of their name and e-mail address, and how these begin. */

/** Beginnings of fewer letters would find everybody, of more hardly anybody else. */
export const beginnings = { min: 2, max: 12 } as const

/** How many words of a search count. */
const maxWords = 8

/** One word without its marks: "O’Hara" and "ohara" are the same, and so are "Zoë" and "zoe". */
const joined = (text: string): string => fold(text).replaceAll(' ', '')

/** How a word begins, as far as that is kept. */
export const beginningOf = (word: string): string => [...word].slice(0, beginnings.max).join('')

/** All that this person is found by. */
export function wordsOfPerson({ email, firstName, lastName }: PersonName & { email: string }): Set<string> {
  const at = email.lastIndexOf('@')
  const pieces = [email, email.slice(0, Math.max(at, 0)), email.slice(at + 1)]
  const names = `${firstName ?? ''} ${lastName ?? ''}`.split(/\s+/)
  const words = [...pieces, ...names].flatMap((piece) => [joined(piece), ...fold(piece).split(' ')])
  const found = new Set<string>()
  for (const word of words) {
    if (word !== '') found.add(word)
    const letters = [...word]
    for (let n = beginnings.min; n <= Math.min(letters.length, beginnings.max); n++) {
      found.add(letters.slice(0, n).join(''))
    }
  }
  return found
}

/**
 * The words of a search, each to be found. A single letter, which begins half of all names, waits for the next one to be typed,
 * unless there is nothing else.
 */
export function wordsOfSearch(typed: string): string[] {
  const words = [...new Set(typed.split(/\s+/).map(joined))].filter((word) => word !== '')
  const long = words.filter((word) => [...word].length >= beginnings.min)
  return (long.length > 0 ? long : words).slice(0, maxWords)
}
