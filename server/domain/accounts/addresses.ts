import { z } from 'zod'

const line = z.string()

/** A shipping address. */
export const addressSchema = z.object({
  streetAddress: line,
  city: line,
  stateProvince: line,
  zipCode: line,
  country: line,
})
export type Address = z.infer<typeof addressSchema>

/** An address saved from an order for the next one. */
export type SavedAddress = Address & {
  id: string
  addressType: 'shipping'
  isDefault: boolean
}

/** The maximum length of a line, and of the whole address string. */
export const addressBounds = { line: 200, text: 1100 } as const

/** "street, city, state zip, country" (specification, section 9). */
export const formatAddress = ({ streetAddress, city, stateProvince, zipCode, country }: Address): string =>
  [streetAddress, city, `${stateProvince} ${zipCode}`.trim(), country].filter(Boolean).join(', ')

/**
 * The lines of a shipping label: street, city with state and ZIP code, country. An address that
 * cannot be parsed has one line per part.
 */
export function addressLines(text: string, parts: Address | null): string[] {
  const address = parts ?? parseAddress(text)
  if (!address) return text.split(',').map((line) => line.trim())
  const { streetAddress, city, stateProvince, zipCode, country } = address
  const region = `${stateProvince} ${zipCode}`.trim()
  return [streetAddress, [city, region].filter(Boolean).join(', '), country]
}

/**
 * Parses the documented string: four or more parts are the full form, with commas in the street;
 * three are street, city, country. A state ends where a word with a digit begins. Null when it is
 * neither.
 */
export function parseAddress(text: string): Address | null {
  const parts = text.split(',').map((part) => part.trim())
  const country = parts.pop() ?? ''
  const region = parts.length >= 3 ? (parts.pop() ?? '') : ''
  const city = parts.pop() ?? ''
  const streetAddress = parts.filter(Boolean).join(', ')
  if (!streetAddress || !city || !country) return null
  const words = region.split(/\s+/)
  const digits = words.findIndex((word) => /\d/.test(word))
  const split = digits === -1 ? words.length : digits
  return {
    streetAddress,
    city,
    stateProvince: words.slice(0, split).join(' '),
    zipCode: words.slice(split).join(' '),
    country,
  }
}
