import { z } from 'zod'
import { decimalFromCents, parseCents } from '../money.ts'
import { settingsSchema } from './settings.ts'

const maxAmountCents = 10_000_000
const amountMessage = `Enter an amount from 0 to ${decimalFromCents(maxAmountCents)}.`

/** A typed amount of dollars as cents. */
const amount = z
  .string({ error: amountMessage })
  .max(20, amountMessage)
  .transform((text, check) => {
    const cents = parseCents(text.trim())
    if (cents !== null && cents >= 0 && cents <= maxAmountCents) return cents
    check.addIssue(amountMessage)
    return z.NEVER
  })

function wholeNumber(min: number, max: number) {
  const message = `Enter a whole number from ${min} to ${max}.`
  return z
    .string({ error: message })
    .max(20, message)
    .transform((text, check) => {
      const number = /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : Number.NaN
      if (number >= min && number <= max) return number
      check.addIssue(message)
      return z.NEVER
    })
}

/** The settings of the form; the lists have forms of their own. */
const formSettingsSchema = settingsSchema.omit({ stateScheduled: true, turnedDownAlerts: true })

/** A code of the second factor, when the session gave none in the last minutes. */
const code = z.string().max(100, 'This code is too long.').default('')

/** The settings form: amounts are decimal text in US dollars. */
export const settingChangesSchema = z.object({
  supportRefundLimitCents: amount,
  codeAboveRefundCents: amount,
  refillOpensAtPercent: wholeNumber(50, 100),
  captureMarginHours: wholeNumber(1, 96),
  retentionYears: wholeNumber(1, 100),
  /** The years of a shorter retention that the admin confirmed; blank without a confirmation. */
  confirmedRetention: z.string().max(20).default('').transform(Number),
  careListMaxAgeDays: wholeNumber(1, 3650),
  recallNoticeDays: wholeNumber(1, 3650),
  twoPharmacists: z.enum(['on', 'off'], { error: 'Choose one.' }).transform((choice) => choice === 'on'),
  /** What the form showed, which tells a stale edit. */
  before: z
    .string({ error: 'Reload the page and try again.' })
    .max(2000)
    .transform((text, check) => {
      const shown = formSettingsSchema.safeParse(parseJson(text))
      if (shown.success) return shown.data
      check.addIssue('Reload the page and try again.')
      return z.NEVER
    }),
  code,
})

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
