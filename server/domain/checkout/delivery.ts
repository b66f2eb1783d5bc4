import type { checkDestination } from '../dispensing/destination.ts'

/** Standard, the only service: once shipped (specification, section 9, "Shipping"). */
const standardDays = { domestic: '3-5 business days', international: '7-14 business days' } as const

/** The delivery time to a country, or why to ask before ordering. */
export type Delivery = {
  /** In a sentence. */
  delivery: string
  /** Whether the pharmacies ship there. True without a country. */
  isDestinationServed: boolean
}

type Route = ReturnType<typeof checkDestination> & {
  /** Where the order goes, as the customer wrote it. Empty without an address. */
  country: string
  /** The countries of the pharmacies. */
  homes: readonly string[]
}

/** "the United States", "the UK", "Canada". */
const withArticle = (country: string): string =>
  /^(united |netherlands|philippines|bahamas|(u\.?s\.?(a\.?)?|u\.?k\.?)$)|(republic|islands)$/i.test(country)
    ? `the ${country}`
    : country

/**
 * The warning that these pharmacies do not ship to a country.
 * @param route.pharmacies none when the products have no active pharmacy
 */
export function describeUnserved({ country, pharmacies }: Pick<Route, 'country' | 'pharmacies'>): string {
  if (pharmacies.length === 0) return 'No active pharmacy can ship this now.'
  const names = new Intl.ListFormat('en-US').format(pharmacies)
  const place = country === '' ? 'this address' : withArticle(country)
  return `${names} ${pharmacies.length > 1 ? 'do' : 'does'} not list ${place} as a destination.`
}

/** The one delivery time that applies to these pharmacies and this address. */
export function describeDelivery({ country, homes, isServed, isDomestic, pharmacies }: Route): Delivery {
  if (country === '') {
    const [home, ...others] = new Set(homes)
    const place = home === undefined || others.length > 0 ? 'the pharmacy’s country' : withArticle(home)
    return {
      delivery: `Standard delivery within ${place} takes ${standardDays.domestic} once shipped.`,
      isDestinationServed: true,
    }
  }
  if (!isServed) {
    return {
      delivery: `${describeUnserved({ country, pharmacies })} Contact us before you order.`,
      isDestinationServed: false,
    }
  }
  const days = isDomestic ? standardDays.domestic : standardDays.international
  return {
    delivery: `Standard delivery to ${withArticle(country)} takes ${days} once shipped.`,
    isDestinationServed: true,
  }
}
