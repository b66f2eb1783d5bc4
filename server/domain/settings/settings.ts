import { z } from 'zod'
import { decimalFromCents, parseCents } from '../money.ts'

/** The shop's settings, each with its default. Amounts are US cents. */
export const settingsSchema = z.object({
  /** The most that staff without `refunds.unlimited` refund of one order. */
  supportRefundLimitCents: z.int().min(0).default(10_000),
  /** Refunding more than this of one order needs a recent code of the second factor. */
  codeAboveRefundCents: z.int().min(0).default(25_000),
})
export type Settings = z.output<typeof settingsSchema>

const maxAmountCents = 10_000_000

/** A typed amount of dollars as cents. */
const amount = z
  .string()
  .max(20)
  .transform((text, check) => {
    const cents = parseCents(text.trim())
    if (cents !== null && cents >= 0 && cents <= maxAmountCents) return cents
    check.addIssue(`Enter an amount from 0 to ${decimalFromCents(maxAmountCents)}.`)
    return z.NEVER
  })

/** Changes to settings as a form sends them: amounts are decimal text in US dollars. */
export const settingChangesSchema = z.strictObject({
  supportRefundLimitCents: amount,
  codeAboveRefundCents: amount,
})
