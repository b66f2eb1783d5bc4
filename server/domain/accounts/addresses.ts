import { z } from 'zod'

const line = z.string()

/** Where a parcel goes. */
export const addressSchema = z.object({
  streetAddress: line,
  city: line,
  stateProvince: line,
  zipCode: line,
  country: line,
})
export type Address = z.infer<typeof addressSchema>

/** An address kept from an order for the next one. */
export type SavedAddress = Address & {
  id: string
  addressType: 'shipping'
  isDefault: boolean
}

/** Each line at most; an address string is longer than its five lines by little. */
export const addressBounds = { line: 200, text: 1100 } as const

/** "street, city, state zip, country" (specification, section 9). */
export const addressText = ({ streetAddress, city, stateProvince, zipCode, country }: Address): string =>
  [streetAddress, city, `${stateProvince} ${zipCode}`.trim(), country].filter(Boolean).join(', ')

/** As it stands on a parcel: the street, the town with region and code, the country. What cannot be read is a line a part. */
export function addressLines(text: string, parts: Address | null): string[] {
  const address = parts ?? parseAddress(text)
  if (!address) return text.split(',').map((line) => line.trim())
  const { streetAddress, city, stateProvince, zipCode, country } = address
  const region = `${stateProvince} ${zipCode}`.trim()
  return [streetAddress, [city, region].filter(Boolean).join(', '), country]
}

/**
 * Reads the documented string back: four parts or more are the full form, with commas in the street; three are street, city, country.
 * A state ends where a word with a digit begins. Null when it is neither.
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
