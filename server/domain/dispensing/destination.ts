import { parseAddress, type Address } from '../accounts/addresses.ts'
import { fold } from '../text.ts'

/** Where an order goes, with what the committed rules say about it. */
export type Destination = {
  /** As the customer typed it: "United States". */
  country: string
  /** The postal code of the state or province of a US or Canadian address; null when unclear. */
  state: string | null
  /** Whether the pharmacies of these medicines ship there. Otherwise clearing needs a decision. */
  isServed: boolean
  /** Whether it stays in the pharmacies' own country. */
  isDomestic: boolean
  /** The names of pharmacies that fill a line and do not ship there. */
  pharmacies: string[]
  /** None: no rule in our list. That does not mean that none exists. */
  rules: DestinationRule[]
}

/** A rule of server/reviews/import-rules.json, in its words. */
export type DestinationRule = {
  id: string
  appliesTo: string
  situation: string
  rule: string
  limit: string | null
  authority: string
  source: string
  sourceDate: string | null
  /** "text read", or that only a summary was read. A shop's lawyer confirms each. */
  howRead: string
}

/** English names of all countries in use, folded, and the ISO 3166-1 code of each. */
const codesByName: ReadonlyMap<string, string> = (() => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return new Map(
    codes.flatMap((code): [string, string][] => {
      const name = names.of(code)
      // CLDR names some codes that are no country: QO, XK, ZZ …
      return name === undefined || /^(A[AC]|Q[M-Z]|X[A-Z]|ZZ|EU|EZ|UN)$/.test(code)
        ? []
        : [[fold(name), code]]
    }),
  )
})()

/** Names that customers write and CLDR does not, folded. */
const aliases: Readonly<Record<string, string>> = {
  usa: 'US',
  'u s': 'US',
  'u s a': 'US',
  'united states of america': 'US',
  uk: 'GB',
  'u k': 'GB',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
}

/** The code of a country that is written as its name, a usual short form or its code; else null. */
export function toCountryCode(country: string): string | null {
  const name = fold(country)
  const code = aliases[name] ?? codesByName.get(name)
  if (code !== undefined) return code
  const upper = name.toUpperCase()
  return [...codesByName.values()].includes(upper) ? upper : null
}

export const isSameCountry = (one: string, other: string): boolean => {
  const code = toCountryCode(one)
  return code === null ? fold(one) === fold(other) : code === toCountryCode(other)
}

/** The country of an address as the customer wrote it. Empty when it has none. */
export const countryOf = ({ text, parts }: { text: string; parts: Address | null }): string =>
  (parts ?? parseAddress(text))?.country ?? text.split(',').at(-1)?.trim() ?? ''

/** A pharmacy as far as shipping needs it. */
export type ShippingPharmacy = { id: string; name: string; country: string; shipsTo: readonly string[] }

/**
 * Whether each medicine has a pharmacy that ships to a country. A product of a pharmacy ships from
 * there; one without ships from any active pharmacy.
 * @param productPharmacies of each product: its pharmacy's id, or null
 * @param active the active pharmacies
 */
export function checkDestination(
  country: string,
  productPharmacies: readonly (string | null)[],
  active: readonly ShippingPharmacy[],
): { isServed: boolean; isDomestic: boolean; pharmacies: string[] } {
  const serves = ({ shipsTo }: ShippingPharmacy): boolean =>
    shipsTo.some((served) => isSameCountry(served, country))
  const sources = productPharmacies.map((id) =>
    active.filter((pharmacy) => id === null || pharmacy.id === id),
  )
  const unserved = sources.filter((pharmacies) => !pharmacies.some(serves))
  return {
    isServed: unserved.length === 0,
    isDomestic: sources.every((pharmacies) =>
      pharmacies.some((pharmacy) => serves(pharmacy) && isSameCountry(pharmacy.country, country)),
    ),
    pharmacies: [...new Set(unserved.flat().map(({ name }) => name))],
  }
}

/** A row of server/reviews/import-rules.json. */
export type ImportRule = DestinationRule & { country: string; direction: string }

/** Rules for medicines that cannot be transcribed here, or need no prescription. */
const otherMedicines = /\bDEA\b|controlled|psychotropic|targeted|narcotic|non-prescription/i

/**
 * The import rules of a country for prescription medicines that are not controlled. None when the
 * medicine does not cross a border.
 */
export function findDestinationRules(
  rules: readonly ImportRule[],
  country: string,
  { isDomestic }: { isDomestic: boolean },
): DestinationRule[] {
  const code = toCountryCode(country)
  if (isDomestic || code === null) return []
  return rules
    .filter(
      (row) => row.country === code && row.direction === 'import' && !otherMedicines.test(row.appliesTo),
    )
    .map(({ country: _country, direction: _direction, ...rule }) => rule)
}
