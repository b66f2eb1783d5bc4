import { plainWords } from '../plain-words.ts'
import { formatDose } from './dose.ts'
import {
  errorProneCodes,
  sigCodes,
  sigPhrases,
  unitCodes,
  type SigCode,
  type SigUnitName,
} from './sig-codes.ts'

/** A piece of directions as a prescriber writes them. */
export type DirectionPart =
  /** `to` is the larger number of a range. */
  | { kind: 'dose'; from: number; to: number | null }
  | { kind: 'unit'; unit: SigUnitName }
  | { kind: 'code'; name: string; code: SigCode }
  /** Words that are ready to print: "every 4 to 6 hours". */
  | { kind: 'words'; text: string; beginsReason: boolean }
  | { kind: 'errorProne'; typed: string; writeInstead: string }
  | { kind: 'mark'; text: ',' | ';' }
  | { kind: 'plain'; typed: string; endsSentence: boolean }

type Found = { part: DirectionPart; words: number }

/** Reads directions from left to right. Every typed word is in exactly one part. */
export function parseDirections(typed: string): DirectionPart[] {
  const words = typed
    .normalize('NFC')
    .replace(/[–—]/g, '-')
    .replace(/([,;])(?!\d)/g, ' $1 ')
    .split(/\s+/)
    .filter(Boolean)
    .flatMap(splitGlued)
  const parts: DirectionPart[] = []
  for (let at = 0; at < words.length;) {
    const found = readPart(words.slice(at))
    parts.push(found.part)
    at += found.words
  }
  return parts
}

function readPart(words: readonly string[]): Found {
  const [word = ''] = words
  if (word === ',' || word === ';') return { part: { kind: 'mark', text: word }, words: 1 }
  return (
    readPhrase(words) ??
    readErrorProne(words) ??
    readInterval(words) ??
    readDose(word) ??
    readUnit(word) ??
    readCode(words) ?? {
      part: { kind: 'plain', typed: word, endsSentence: word.endsWith('.') },
      words: 1,
    }
  )
}

/** "as needed" and the like, whose first word alone is an error-prone code. */
function readPhrase(words: readonly string[]): Found | null {
  const rest = words.slice(0, 5).join(' ')
  for (const [pattern, replacement] of sigPhrases) {
    const [found] = pattern.exec(rest) ?? []
    if (found === undefined) continue
    const text = found.replace(pattern, replacement).toLowerCase()
    return {
      part: { kind: 'words', text, beginsReason: text === 'as needed' },
      words: found.split(' ').length,
    }
  }
  return null
}

/** "q4h", "q 4 h", "q4-6h", "q 4 - 6 hours", "q15min". */
const interval =
  /^q\.?\s?(?<from>[1-9]\d?)(?:\s?-\s?(?<to>\d{1,2}))?\s?(?:(?<hours>h|hrs?|hours?)|mins?|minutes?)\.?(?= |$)/i

function readInterval(words: readonly string[]): Found | null {
  const found = interval.exec(words.slice(0, 5).join(' '))
  if (!found) return null
  const { from = '', to, hours } = found.groups ?? {}
  const unit = hours ? 'hour' : 'minute'
  const text = to ? `${from} to ${to} ${unit}s` : from === '1' ? unit : `${from} ${unit}s`
  return {
    part: { kind: 'words', text: `every ${text}`, beginsReason: false },
    words: found[0].split(' ').length,
  }
}

function readDose(word: string): Found | null {
  const [, low = '', high = ''] = /^([\d.,]+)-([\d.,]+)$/.exec(word) ?? []
  const [from, to] = high ? [readNumber(low), readNumber(high)] : [readNumber(word), null]
  if (from === null || (high && to === null)) return null
  return { part: { kind: 'dose', from, to }, words: 1 }
}

const decimal = /^(?:[1-9]\d{0,2}(?:,\d{3})+|\d{1,3})(?:\.\d+)?$/
const numberWords: readonly string[] = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']

function readNumber(word: string): number | null {
  if (decimal.test(word)) return Number(word.replaceAll(',', ''))
  const index = numberWords.indexOf(word.toLowerCase())
  return index === -1 ? null : index + 1
}

function readUnit(word: string): Found | null {
  const unit = findUnit(word)
  return unit && { part: { kind: 'unit', unit }, words: 1 }
}

function findUnit(word: string): SigUnitName | null {
  if (word === 'mL') return 'mL'
  const name = normalize(word)
  return Object.hasOwn(unitCodes, name) ? (unitCodes[name] ?? null) : null
}

/** A code, also in two words: "q am". */
function readCode([word = '', next = '']: readonly string[]): Found | null {
  const name = normalize(word)
  const code = Object.hasOwn(sigCodes, name) ? sigCodes[name] : undefined
  if (code) return { part: { kind: 'code', name, code }, words: 1 }
  const joined = normalize(`q${next}`)
  const split = name === 'q' && joined !== 'qh' && Object.hasOwn(sigCodes, joined) ? sigCodes[joined] : null
  return split ? { part: { kind: 'code', name: joined, code: split }, words: 2 } : null
}

/** "b.i.d." and "tab." without their dots, in lower case. */
const normalize = (word: string): string =>
  (/^(?:\p{L}\.)+\p{L}?$/u.test(word) ? word.replaceAll('.', '') : word.replace(/\.$/, '')).toLowerCase()

const glued = /^(\d[\d.,]*(?:-\d[\d.,]*)?)(\p{L}+\.?)$/u
const metricUnits = /^(?:mg|mcg|g|ml|units?)\.?$/i

/** "2tabs" as "2" and "tabs". A metric unit must not touch its number (ISMP), so it stays. */
function splitGlued(word: string): string[] {
  const [, number = '', unit = ''] = glued.exec(word) ?? []
  return findUnit(unit) && !metricUnits.test(unit) ? [number, unit] : [word]
}

function readErrorProne(words: readonly string[]): Found | null {
  const [word = '', next = ''] = words
  const pair = `${word} ${next}`
  if (/^sub q$/i.test(pair)) return errorProne(pair, 'subcut', 2)
  if (/^per os$/i.test(pair)) return errorProne(pair, 'po', 2)
  const writeInstead = correctNumber(word) ?? correctUnit(word) ?? correctCode(word, next)
  return writeInstead === null ? null : errorProne(word, writeInstead, 1)
}

const errorProne = (typed: string, writeInstead: string, words: number): Found => ({
  part: { kind: 'errorProne', typed, writeInstead },
  words,
})

/** Numbers with a trailing zero ("1.0"), without a leading one (".5"), or without commas. */
function correctNumber(word: string): string | null {
  const badNumber = /(?<![\d.,])(?:\.\d+|\d+\.\d*0|\d{4,}(?:\.\d+)?)(?![\d,])/
  return badNumber.test(word)
    ? word.replace(new RegExp(badNumber, 'g'), (number) => formatDose(Number(number)))
    : null
}

/** A unit that touches its number or ends with a dot, or one that is error-prone itself. */
function correctUnit(word: string): string | null {
  if (/^(?:mg|mcg|g|mL)\.$/.test(word)) return word.slice(0, -1)
  const [, number = '', unit = ''] = glued.exec(word) ?? []
  const name = normalize(unit)
  if (number === '') return null
  if (unit !== 'mL' && Object.hasOwn(errorProneCodes, name)) return `${number} ${errorProneCodes[name]}`
  return metricUnits.test(unit) ? `${number} ${unit.replace('.', '')}` : null
}

function correctCode(word: string, next: string): string | null {
  const [, hour = ''] = /^q(\d{1,2})pm$/i.exec(word) ?? []
  if (hour) return `daily at ${hour} PM`
  if (/^x\d*d?$/i.test(word)) return 'the number of days in words'
  const exact = word.replace(/[.:]$/, '')
  // "IN THE MORNING" is a preposition in capitals.
  const isPreposition = exact === 'IN' && plainWords.has(next.toLowerCase())
  if (Object.hasOwn(errorProneCodes, exact) && !isPreposition) return errorProneCodes[exact] ?? null
  const name = normalize(word)
  if (exact !== 'mL' && exact !== 'L' && Object.hasOwn(errorProneCodes, name)) {
    return errorProneCodes[name] ?? null
  }
  const [symbol] = /[/@&+<>°½]/.exec(word) ?? []
  return symbol === undefined ? null : (errorProneCodes[symbol] ?? 'the words')
}
