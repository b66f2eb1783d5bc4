import { formatUnits } from './quantity.ts'
import { unitsPerDay } from './units-per-day.ts'

/** Packs are not sized for a month or a course, so a few units more or less are no mistake. */
const tolerance = { days: 2, percent: 10 }
const figure = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/**
 * "By the directions, 200 tablets last 100 days, not 30." Null when quantity and days' supply
 * agree, and when the directions do not say how many units a day (docs/dispensing.md). By
 * arithmetic only, and for information: a prescriber can write such a thing on purpose.
 */
export function findSupplyMismatch({
  directions,
  units,
  unit,
  daysSupply,
}: {
  directions: string
  units: number
  /** What `units` counts: "tablet". */
  unit: string
  daysSupply: number
}): string | null {
  const perDay = unitsPerDay(directions, unit)
  if (perDay === null || !(units > 0) || !(daysSupply > 0)) return null
  const days = Math.round((units / perDay) * 10) / 10
  const difference = Math.abs(days - daysSupply)
  if (difference <= tolerance.days || difference <= (daysSupply * tolerance.percent) / 100) return null
  const last = units === 1 ? 'lasts' : 'last'
  return `By the directions, ${formatUnits(units, unit)} ${last} ${figure.format(days)} ${days === 1 ? 'day' : 'days'}, not ${daysSupply}.`
}
