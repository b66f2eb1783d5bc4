import type { Alert } from './alert.ts'
import { joinIngredients } from './product-ingredients.ts'
import type { ScreenedCase } from './screened-case.ts'

/** "20 mg", "250 mg/5 mL": one amount, in the units that a fill counts. */
const strengthPattern = /^([\d.,]+) (mg|mcg|g|units)(?:\/(?:(\d[\d.,]*) )?(mL|dose|tablet|capsule|patch))?$/i
const figure = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 })
const toNumber = (text: string): number => Number(text.replaceAll(',', ''))

/**
 * The dose a day, by arithmetic only: units × strength ÷ days. It is shown as a figure and never
 * judged, because no open list of ours has doses.
 */
export function checkDose({ items }: ScreenedCase): Alert[] {
  return items.flatMap(({ line, item }): Alert[] => {
    if (line === null) return []
    const detail = doseADay(line)
    if (detail === null) return []
    return [
      {
        key: `dose:${line.itemId ?? line.id}`,
        kind: 'dose',
        level: 'information',
        isFolded: false,
        audience: 'staff',
        effect: null,
        first: { key: joinIngredients(line.ingredients), items: [item] },
        second: null,
        detail,
        sources: [],
      },
    ]
  })
}

/** "60 mg a day: 90 tablets of 20 mg in 30 days"; null when the item does not say. */
function doseADay({ fill, strength }: { fill: FillSize | null; strength: string }): string | null {
  if (fill === null || fill.unit === 'pack' || !(fill.units > 0) || !(fill.daysSupply > 0)) return null
  const perDay = fill.units / fill.daysSupply
  const how = `${figure.format(fill.units)} × ${strength || fill.unit} in ${fill.daysSupply} days`
  const [, amount, unit, per] = strengthPattern.exec(strength) ?? []
  if (amount === undefined || unit === undefined) return `${figure.format(perDay)} ${fill.unit} a day: ${how}`
  const daily = (perDay * toNumber(amount)) / (per === undefined ? 1 : toNumber(per))
  return `${figure.format(daily)} ${unit} a day: ${how}`
}

type FillSize = { units: number; unit: string; daysSupply: number }
