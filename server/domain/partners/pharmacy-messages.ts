/** The longest that each field of a pharmacy may be, in characters, and how many countries one ships to. */
export const pharmacyBounds = { name: 200, country: 100, licenseNumber: 100, countries: 250 } as const

/** How long before its end a licence is warned of. */
const licenseWarningDays = 60

const dayMs = 86_400_000

export type LicenseState = 'valid' | 'expiring' | 'expired'

/**
 * How a pharmacy's licence stands; it is good through its last day.
 * @param expiry YYYY-MM-DD
 * @param today YYYY-MM-DD in UTC
 */
export function licenseState(expiry: string, today: string): LicenseState {
  if (expiry < today) return 'expired'
  return daysUntil(expiry, today) <= licenseWarningDays ? 'expiring' : 'valid'
}

/** From one day to another, in days. */
export const daysUntil = (day: string, today: string): number =>
  Math.round((Date.parse(day) - Date.parse(today)) / dayMs)

/** The last day on which a licence may end and be warned of, YYYY-MM-DD. */
export const lastWarningDay = (now: Date): string =>
  new Date(now.getTime() + licenseWarningDays * dayMs).toISOString().slice(0, 10)
