/** Days are `YYYY-MM-DD`, in UTC unless a rule says otherwise. */

export const dayMs = 24 * 3600 * 1000

/** A moment's date in UTC, the time zone in which prescriptions and lots expire. */
export const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10)

/** The day some days later, or earlier when `days` is negative. */
export const addDays = (day: string, days: number): string =>
  utcDay(new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs))

/** The day of the same date some months later; the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return utcDay(new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDay))))
}

/** Calendar days in UTC since a moment: 0 is today, 1 is yesterday. 0 when it is in the future. */
export const daysSince = (moment: Date, now: Date): number =>
  Math.max(0, (Date.parse(utcDay(now)) - Date.parse(utcDay(moment))) / dayMs)

/**
 * Whether a date on paper is in the future everywhere. It is the prescriber's date, and the
 * easternmost time zone is 14 hours ahead of UTC.
 */
export const isFutureDay = (now: Date, day: string): boolean =>
  day > utcDay(new Date(now.getTime() + 14 * 3600 * 1000))
