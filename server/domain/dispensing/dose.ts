const doseFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })

/**
 * A dose as it is printed: "0.5", "5", "1,000". Never with a trailing zero or without a leading
 * one, and with commas from 1,000 on (ISMP, see `sig-codes.ts`).
 */
export const formatDose = (dose: number): string => doseFormat.format(dose)

/** Units as directories write them that are not printed so. */
const printedUnits: Readonly<Record<string, string>> = {
  ug: 'mcg',
  µg: 'mcg',
  μg: 'mcg',
  mcg: 'mcg',
  iu: 'units',
  '[iu]': 'units',
  'int. units': 'units',
  u: 'units',
  '[usp’u]': 'units',
  "[usp'u]": 'units',
  ml: 'mL',
  cc: 'mL',
  l: 'L',
}

/** A unit as it is printed: `mcg` for `ug`, `mL` for `ml`, `units` for `IU`; also in "ug/ml". */
export const formatUnit = (unit: string): string =>
  unit
    .split('/')
    .map((part) => {
      const [, count = '', name = ''] = /^\s*([\d.,]*)\s*(.*?)\s*$/.exec(part) ?? []
      return [formatNumbers(count), printedUnits[name.toLowerCase()] ?? name].filter(Boolean).join(' ')
    })
    .join('/')

/** Each number of a text as a dose: "10.0" → "10", ".5" → "0.5". */
export const formatNumbers = (text: string): string =>
  text.replace(/(?<![\d.,])(?:\d[\d,]*)?\.?\d+(?![\d.])/g, (found) => {
    const value = Number(found.replaceAll(',', ''))
    return Number.isFinite(value) ? formatDose(value) : found
  })

/** "0.5 mg" of a variant. Empty when its directory states no strength. */
export const formatStrength = ({
  strength,
  strengthUnit,
}: {
  strength: string
  strengthUnit: string
}): string => [formatNumbers(strength), formatUnit(strengthUnit)].filter(Boolean).join(' ')

/**
 * A strength as a directory's label writes it: "10.0 MG" becomes "10 mg", "500 MCG/5 ML" "500 mcg/5
 * mL".
 */
export const formatStrengthText = (text: string): string =>
  formatNumbers(text).replace(
    /(?<=\d\s?|\/\s?)(mg|mcg|ug|µg|μg|g|kg|ml|l|iu|units?)(?![\p{L}\d])/giu,
    (unit) => {
      const name = unit.toLowerCase()
      return printedUnits[name] ?? name
    },
  )
