import { strengthLabel } from './catalog.ts'

type Strength = { strength: string; strengthUnit: string }

/** What a strength is measured in, and its amounts in one unit of that: "1 g" is 1000 mg. */
export type StrengthRank = { dimension: string; amounts: number[]; label: string }

/** Each unit as a multiple of its dimension's base: mg, mL and hours. */
const units: Readonly<Record<string, readonly [dimension: string, factor: number]>> = {
  ng: ['mass', 1e-6],
  mcg: ['mass', 1e-3],
  mg: ['mass', 1],
  g: ['mass', 1e3],
  kg: ['mass', 1e6],
  ml: ['volume', 1],
  l: ['volume', 1e3],
  h: ['time', 1],
  hr: ['time', 1],
  day: ['time', 24],
}

/** Mass first ("500 mg"), then mass in something ("50 mg/mL"), then everything else by its unit. */
export function toStrengthRank(variant: Strength): StrengthRank {
  const [, numerator = '', per = '', denominator = ''] =
    /^([^/]*?)(?:\/\s*([\d.]*)\s*(.*))?$/.exec(variant.strengthUnit.trim()) ?? []
  const [over, overFactor] = units[denominator.toLowerCase()] ?? [denominator.toLowerCase(), 1]
  const [of, factor] = units[numerator.toLowerCase()] ?? [numerator.toLowerCase(), 1]
  const scale = factor / ((Number(per) || 1) * overFactor)
  return {
    dimension: over === '' ? of : `${of} in ${over}`,
    // Rounded, because 0.1 g must equal 100 mg.
    amounts: variant.strength
      .split('/')
      .map((amount) => Number((Number.parseFloat(amount) * scale).toPrecision(12))),
    label: strengthLabel(variant),
  }
}

const dimensionOrder = new Intl.Collator('en')
const naturalOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const firstDimensions = ['mass', 'mass in volume', 'mass in mass', 'mass in time']

const placeOf = ({ dimension, label }: StrengthRank): number => {
  // "Not stated" comes last.
  if (label === '') return firstDimensions.length + 1
  const place = firstDimensions.indexOf(dimension)
  return place === -1 ? firstDimensions.length : place
}

/** Weakest first, by the first ingredient, then by the next. */
export function compareStrengthRanks(a: StrengthRank, b: StrengthRank): number {
  const byDimension = placeOf(a) - placeOf(b) || dimensionOrder.compare(a.dimension, b.dimension)
  if (byDimension !== 0) return byDimension
  for (let index = 0; index < Math.max(a.amounts.length, b.amounts.length); index++) {
    const difference = (a.amounts[index] ?? 0) - (b.amounts[index] ?? 0)
    if (difference !== 0 && !Number.isNaN(difference)) return difference
  }
  return isSameAmount(a, b) ? 0 : naturalOrder.compare(a.label, b.label)
}

const isSameAmount = (a: StrengthRank, b: StrengthRank): boolean =>
  a.amounts.length === b.amounts.length && a.amounts.every((amount, index) => amount === b.amounts[index])
