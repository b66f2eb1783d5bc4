import { toTrackingNumber } from './tracking-number.ts'

/** The carriers that the form of a shipment suggests. Staff may type any other. */
export const carriers = ['USPS', 'UPS', 'FedEx', 'DHL', 'Canada Post', 'Royal Mail'] as const

/** The address of each carrier's own tracking page, up to the number. */
const trackingPages: Record<(typeof carriers)[number], string> = {
  USPS: 'https://tools.usps.com/go/TrackConfirmAction?tLabels=',
  UPS: 'https://www.ups.com/track?tracknum=',
  FedEx: 'https://www.fedex.com/fedextrack/?trknbr=',
  DHL: 'https://www.dhl.com/global-en/home/tracking.html?tracking-id=',
  'Canada Post': 'https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=',
  'Royal Mail': 'https://www.royalmail.com/track-your-item#/tracking-results/',
}

type Package = { carrier: string | null; trackingNumber: string | null }

/** Whether a typed name is the carrier's, or that of one of its services, such as "UPS Ground". */
const isNameOf = (carrier: string, typed: string): boolean =>
  `${typed.trim().toLowerCase()} `.startsWith(`${carrier.toLowerCase()} `)

/**
 * Where customers follow a package at its carrier. Null for another carrier, and for a text that is
 * no tracking number.
 */
export function trackingUrl({ carrier, trackingNumber }: Package): string | null {
  const number = trackingNumber === null ? null : toTrackingNumber(trackingNumber)
  const known = carriers.find((name) => carrier !== null && isNameOf(name, carrier))
  return known && number ? `${trackingPages[known]}${number}` : null
}
