import { z } from 'zod'
import { cleanLine, cleanLines, isBlank } from '../clean-text.ts'
import { utcDay } from '../days.ts'
import { formatDay } from '../format-day.ts'
import { lotBounds } from './inventory-messages.ts'

/** Characters that show nothing: zero-width spaces, direction marks, variation selectors. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * As a reader sees it on the pack, in upper case: two numbers that look the same are the same lot.
 */
export const normalizeLotNumber = (typed: string): string =>
  cleanLine(
    typed
      .normalize('NFC')
      .replace(unseen, '')
      .replace(/\p{Z}+/gu, ' '),
  ).toUpperCase()

/**
 * The form that earlier releases stored, before `normalizeLotNumber`: with the characters that show
 * nothing. They stored none that was too long.
 */
function cleanLotNumber(typed: string): string {
  const cleaned = cleanLine(typed).toUpperCase()
  return cleaned.length <= lotBounds.number ? cleaned : normalizeLotNumber(typed)
}

/**
 * An optional lot number; blank text is null. It is not normalized yet: `findNamedLot` looks for
 * what was typed first. A new lot is stored under the normalized number.
 */
export const lotNumberField = z
  .string({ error: 'Enter text.' })
  .nullable()
  .transform((typed) => (typed === null || normalizeLotNumber(typed) === '' ? null : cleanLotNumber(typed)))
  .refine(
    (number) => number === null || normalizeLotNumber(number).length <= lotBounds.number,
    `Enter at most ${lotBounds.number} characters.`,
  )
  .default(null)

/**
 * The lot of a variant that a number names, as `lotNumberField` returns it: the lot stored under
 * exactly this number, or the one that looks the same. A variant can have both, because earlier
 * releases stored numbers that were not normalized.
 */
export function findNamedLot<Lot extends { lotNumber: string }>(
  lots: readonly Lot[],
  typed: string,
): Lot | null {
  const number = normalizeLotNumber(typed)
  const exact = lots.find(({ lotNumber }) => lotNumber === typed)
  const normalized = exact ?? lots.find(({ lotNumber }) => lotNumber === number)
  return normalized ?? lots.find(({ lotNumber }) => normalizeLotNumber(lotNumber) === number) ?? null
}

const invalidExpiry = 'Enter a valid date, like 2027-06-30, or a month, like 2027-06.'

/** A pack that names a month can be used until its last day. */
function lastDayOf(month: string): string | null {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number >= 1 && number <= 12 ? utcDay(new Date(Date.UTC(year, number, 0))) : null
}

/** The day of `2027-06-30`, and the last day of the month `2027-06`; null when it is neither. */
export function parseExpiry(typed: string): string | null {
  if (/^\d{4}-\d{2}$/.test(typed)) return lastDayOf(typed)
  return z.iso.date().safeParse(typed).success ? typed : null
}

/** Longer than any shelf life, and short enough to find 2206 typed for 2026. */
const maxExpiryYears = 10

/** Whether an expiry date is so far away that its year must be a typing error. */
export const isFarExpiry = (expiresOn: string, today: string): boolean =>
  expiresOn > `${Number(today.slice(0, 4)) + maxExpiryYears}${today.slice(4)}`

/** Why a new lot cannot have such a date. */
export const farExpiryMessage = (expiresOn: string): string =>
  `${formatDay(expiresOn)} is more than ${maxExpiryYears} years away. Check the year.`

/** An optional expiry date; blank text is null. */
export const expiryDateField = z
  .string({ error: invalidExpiry })
  .nullable()
  .transform((typed) => (typed === null || isBlank(typed) ? null : cleanLine(typed)))
  .refine((typed) => typed === null || parseExpiry(typed) !== null, invalidExpiry)
  .transform((typed) => typed && parseExpiry(typed))
  .default(null)

/** Why staff quarantine, release or write off a lot. */
export const lotReasonField = z
  .string({ error: 'Enter the reason.' })
  .transform((typed) => cleanLines(typed))
  .refine((typed) => !isBlank(typed), 'Enter the reason.')
  .refine((typed) => typed.length <= lotBounds.reason, `Enter at most ${lotBounds.reason} characters.`)
