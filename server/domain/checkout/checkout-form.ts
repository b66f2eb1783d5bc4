import { z } from 'zod'
import { addressLabels } from '../accounts/address-labels.ts'
import { addressBounds, type Address } from '../accounts/addresses.ts'
import * as checkoutMessages from './checkout-messages.ts'
import { isBlank, cleanLine } from '../clean-text.ts'

const addressLine = (field: keyof Address) => {
  const missing = `${addressLabels[field]} is required.`
  return z
    .string({ error: missing })
    .transform(cleanLine)
    .pipe(
      z
        .string({ error: missing })
        .refine((text) => !isBlank(text), missing)
        .max(
          addressBounds.line,
          `${addressLabels[field]} can have at most ${addressBounds.line} characters.`,
        ),
    )
}

const prescriptionId = {
  required: z.string({ error: checkoutMessages.choosePrescription }).max(64),
  /** Every line has an item of its own. */
  optional: z
    .string()
    .max(64)
    .optional()
    .transform((id) => id ?? null),
}

/** Accepts "04/29", "4 / 2029" and "0429"; null when it is not a month and year. */
function parseExpiry(text: string): { month: number; year: number } | null {
  const [, month, year] = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(text) ?? []
  const [, shortMonth = '', shortYear = ''] = /^\s*(\d{2})(\d{2})\s*$/.exec(text) ?? []
  const expiry = { month: Number(month ?? shortMonth), year: 2000 + Number(year ?? shortYear) }
  return expiry.month >= 1 && expiry.month <= 12 ? expiry : null
}

/** A card is valid through the last day of its month, in the last time zone on earth. */
const isPast = ({ month, year }: { month: number; year: number }, now: Date): boolean =>
  Date.UTC(year, month, 2) <= now.getTime()

const cardNumber = z
  .string({ error: 'Card number is required.' })
  .transform((text) => text.replaceAll(/[\s-]/g, ''))
  .pipe(z.string({ error: 'Card number is required.' }).regex(/^\d{12,19}$/, 'Enter a valid card number.'))

const expiry = (now: Date) =>
  z.string({ error: 'Expiry date is required.' }).transform((text, ctx) => {
    const parsed = parseExpiry(text)
    if (parsed && !isPast(parsed, now)) return text
    const message = parsed ? 'This card has expired.' : 'Enter the expiry date as MM/YY.'
    ctx.addIssue({ code: 'custom', message })
    return z.NEVER
  })

const cardCvc = z
  .string({ error: 'CVC is required.' })
  .regex(/^\s*\d{3,4}\s*$/, 'Enter the 3- or 4-digit CVC.')

/** Ignores the value of a field that the form does not show. */
const notRequired = z
  .unknown()
  .optional()
  .transform(() => null)

/**
 * The fields of the checkout's form (contract, "Labels", Checkout).
 * @param requires the optional parts that this order needs. Card fields of a payment provider are
 * in the provider's own frame and are never sent to the shop.
 */
export const checkoutFormSchema = (requires: {
  prescription: 'required' | 'optional' | 'none'
  card: boolean
  now: Date
}) =>
  z.object({
    streetAddress: addressLine('streetAddress'),
    city: addressLine('city'),
    stateProvince: addressLine('stateProvince'),
    zipCode: addressLine('zipCode'),
    country: addressLine('country'),
    prescriptionId: requires.prescription === 'none' ? notRequired : prescriptionId[requires.prescription],
    /** Who the items without a prescription are for. */
    patientId: z.string().max(50).optional(),
    cardNumber: requires.card ? cardNumber : notRequired,
    expiry: requires.card ? expiry(requires.now) : notRequired,
    cardCvc: requires.card ? cardCvc : notRequired,
  })
