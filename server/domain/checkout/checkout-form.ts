import { z } from 'zod'
import { addressLabels } from '../accounts/address-labels.ts'
import { addressBounds, type Address } from '../accounts/addresses.ts'
import { checkoutWords } from './checkout-messages.ts'
import { isBlank, typedLine } from '../typed-text.ts'

const addressLine = (field: keyof Address) => {
  const missing = `${addressLabels[field]} is missing.`
  return z
    .string({ error: missing })
    .transform(typedLine)
    .pipe(
      z
        .string({ error: missing })
        .refine((text) => !isBlank(text), missing)
        .max(
          addressBounds.line,
          `Please shorten ${addressLabels[field]} to ${addressBounds.line} characters.`,
        ),
    )
}

const prescriptionId = z.string({ error: checkoutWords.choosePrescription }).max(64)

/** "04/29", "4 / 2029" and "0429"; null when it is no month of a year. */
function readExpiry(text: string): { month: number; year: number } | null {
  const [, month, year] = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(text) ?? []
  const [, shortMonth = '', shortYear = ''] = /^\s*(\d{2})(\d{2})\s*$/.exec(text) ?? []
  const read = { month: Number(month ?? shortMonth), year: 2000 + Number(year ?? shortYear) }
  return read.month >= 1 && read.month <= 12 ? read : null
}

/** A card is good to the last day of its month, wherever that ends last. */
const isPast = ({ month, year }: { month: number; year: number }, now: Date): boolean =>
  Date.UTC(year, month, 2) <= now.getTime()

const cardNumber = z
  .string({ error: 'Card number is missing.' })
  .transform((text) => text.replaceAll(/[\s-]/g, ''))

  .pipe(z.string({ error: 'Card number is missing.' }).regex(/^\d{12,19}$/, 'Please check the card number.'))

const expiry = (now: Date) =>
  z.string({ error: 'Expiry is missing.' }).transform((text, check) => {
    const read = readExpiry(text)
    if (read && !isPast(read, now)) return text
    const message = read ? 'This card has expired.' : 'Please write the expiry as MM/YY.'
    check.addIssue({ code: 'custom', message })
    return z.NEVER
  })

const cardCvc = z.string({ error: 'CVC is missing.' }).regex(/^\s*\d{3,4}\s*$/, 'The CVC has 3 or 4 digits.')

/** Whatever is sent where nothing is asked. */
const notAsked = z
  .unknown()
  .optional()
  .transform(() => null)

/**
 * The fields of the checkout's form (contract, "Labels", Checkout).
 * @param asks what this order asks for; a provider's card fields stand in the provider's own frame and are never sent
 */
export const checkoutFormSchema = (asks: { prescription: boolean; card: boolean; now: Date }) =>
  z.object({
    streetAddress: addressLine('streetAddress'),
    city: addressLine('city'),
    stateProvince: addressLine('stateProvince'),
    zipCode: addressLine('zipCode'),
    country: addressLine('country'),
    prescriptionId: asks.prescription ? prescriptionId : notAsked,
    cardNumber: asks.card ? cardNumber : notAsked,
    expiry: asks.card ? expiry(asks.now) : notAsked,
    cardCvc: asks.card ? cardCvc : notAsked,
  })
