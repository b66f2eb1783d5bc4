import { z } from 'zod'
import { cleanLine, cleanLines, isBlank } from '../clean-text.ts'
import { lotBounds } from './inventory-messages.ts'

/** As a pack prints it: in upper case, so that typing it in another way finds the same lot. */
export const normalizeLotNumber = (typed: string): string => cleanLine(typed).toUpperCase()

/** An optional lot number; blank text is null. */
export const lotNumberField = z
  .string({ error: 'Enter text.' })
  .nullable()
  .transform((typed) => (typed === null || isBlank(typed) ? null : normalizeLotNumber(typed)))
  .refine(
    (number) => number === null || number.length <= lotBounds.number,
    `Enter at most ${lotBounds.number} characters.`,
  )
  .default(null)

const invalidExpiry = 'Enter a valid date, like 2027-06-30, or a month, like 2027-06.'

/** A pack that names a month can be used until its last day. */
function lastDayOf(month: string): string | null {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number >= 1 && number <= 12 ? new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) : null
}

/** The day of `2027-06-30`, and the last day of the month `2027-06`; null when it is neither. */
export function parseExpiry(typed: string): string | null {
  if (/^\d{4}-\d{2}$/.test(typed)) return lastDayOf(typed)
  return z.iso.date().safeParse(typed).success ? typed : null
}

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
