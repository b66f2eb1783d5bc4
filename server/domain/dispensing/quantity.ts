import { formatDose } from './dose.ts'
import type { Medicine } from './medicine.ts'
import { sigUnits, unitCodes } from './sig-codes.ts'

/** "tablets", "patches", "mL": the plural of what a medicine's units count. */
export function pluralUnit(unit: string): string {
  if (unit === 'mL') return unit
  const name = unitCodes[unit]
  return name ? sigUnits[name].many : `${unit}s`
}

/** "60 tablets", "1 patch". */
export const formatUnits = (units: number, unit: string): string =>
  `${formatDose(units)} ${units === 1 ? unit : pluralUnit(unit)}`

/** "60 tablets", "2 packs of 60 g". */
export const formatQuantity = (units: number, { unit, pack }: Pick<Medicine, 'unit' | 'pack'>): string =>
  [formatUnits(units, unit), pack].filter(Boolean).join(' of ')
