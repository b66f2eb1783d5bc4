import { addDays, dayMs, utcDay } from '../days.ts'
/** Maximum lengths of a pharmacy's fields, in characters, and of its list of countries. */
export const pharmacyBounds = {
  name: 200,
  country: 100,
  licenseNumber: 100,
  countries: 250,
  address: 300,
  phone: 40,
} as const

/** How long before its expiry a license is warned about. */
const licenseWarningDays = 60

export type LicenseState = 'valid' | 'expiring' | 'expired'

/**
 * The state of a pharmacy's license, which is valid through its last day.
 * @param expiry YYYY-MM-DD
 * @param today YYYY-MM-DD in UTC
 */
export function licenseState(expiry: string, today: string): LicenseState {
  if (expiry < today) return 'expired'
  return daysUntil(expiry, today) <= licenseWarningDays ? 'expiring' : 'valid'
}

/** Days from `today` to `day`; negative when it has passed. */
export const daysUntil = (day: string, today: string): number =>
  Math.round((Date.parse(day) - Date.parse(today)) / dayMs)

/** Licenses that expire on this day (YYYY-MM-DD) or before are warned about. */
export const lastWarningDay = (now: Date): string => addDays(utcDay(now), licenseWarningDays)
