import { memoize } from '../memoize.ts'

/**
 * Strengths as the Orange Book and the NDC directory write them, in one measure, so that a package
 * finds its row: "EQ 500MG BASE/5ML" and "100 mg/mL" are equal.
 */

/** The amount of one ingredient. */
type Amount = { value: number; unit: 'mg' | 'units' | 'mEq'; per: 'unit' | 'mL' | 'g' | 'h' | 'percent' }

const units: Readonly<Record<string, readonly [Amount['unit'], number]>> = {
  mg: ['mg', 1],
  g: ['mg', 1000],
  gm: ['mg', 1000],
  mcg: ['mg', 0.001],
  ug: ['mg', 0.001],
  meq: ['mEq', 1],
  units: ['units', 1],
  iu: ['units', 1],
  'usp units': ['units', 1],
  '[iu]': ['units', 1],
  "[usp'u]": ['units', 1],
}

/** What an amount is in. A vial, packet, spray or puff is one unit, as the directory counts it. */
const denominators: Readonly<Record<string, readonly [Amount['per'], number]>> = {
  ml: ['mL', 1],
  l: ['mL', 1000],
  g: ['g', 1],
  gm: ['g', 1],
  h: ['h', 1],
  hr: ['h', 1],
  d: ['h', 24],
  vial: ['unit', 1],
  packet: ['unit', 1],
  spray: ['unit', 1],
  inh: ['unit', 1],
  actuation: ['unit', 1],
  bot: ['unit', 1],
}

/**
 * "EQ 500MG BASE/5ML": number, unit, the part of the salt that the number is for, denominator.
 * Other words mean something else: "100MG EXTENDED".
 */
const amountPattern =
  /^(eq )?(\d[\d,]*(?:\.\d+)?|\.\d+) ?(%|\[[a-z']+\]|usp units|[a-z]+)((?: [a-z]+)*)(?:\/ ?(\d*(?:\.\d+)?) ?([a-z]+))?$/

function parseAmount(text: string): Amount | null {
  const [, equals, number = '', unit = '', words, count = '', per = ''] = amountPattern.exec(text) ?? []
  const value = Number(number.replaceAll(',', ''))
  if (!number || !(value > 0) || (words && !equals)) return null
  // A percentage is grams in 100 g or 100 mL.
  if (unit === '%') return per ? null : { value: value * 10, unit: 'mg', per: 'percent' }
  const [measure, factor] = units[unit] ?? []
  if (measure === undefined || factor === undefined) return null
  if (!per) return { value: value * factor, unit: measure, per: 'unit' }
  const [denominator, size] = denominators[per] ?? []
  if (denominator === undefined || size === undefined) return null
  const amount = (count === '' ? 1 : Number(count)) * size
  return amount > 0 ? { value: (value * factor) / amount, unit: measure, per: denominator } : null
}

const parseAll = (parts: readonly string[]): readonly Amount[] | null => {
  const amounts = parts.map((part) => parseAmount(part.trim().toLowerCase()))
  return amounts.every((amount) => amount !== null) ? amounts : null
}

/** A total is followed by its concentration: "500MG/10ML (50MG/ML)". The first says both. */
const parseListed = memoize(
  (strength: string) =>
    parseAll(
      bareStrength(strength)
        .replace(/ \([^()]*\)$/, '')
        .split(';'),
    ),
  (strength) => strength,
)
const parseLabel = memoize(
  (label: string) => parseAll(label.split(' / ')),
  (label) => label,
)

/** An Orange Book strength without the editor's remark: "300MG **Federal Register …". */
export const bareStrength = (strength: string): string =>
  strength.split('**', 1)[0]?.trim().replace(/\s+/g, ' ').toUpperCase() ?? ''

const isSame = (a: Amount, b: Amount): boolean => {
  const isPercent = a.per === 'percent' || b.per === 'percent'
  const isMeasured = [a.per, b.per].every((per) => per === 'percent' || per === 'mL' || per === 'g')
  return (
    a.unit === b.unit &&
    (isPercent ? isMeasured : a.per === b.per) &&
    Math.abs(a.value - b.value) <= 1e-6 * a.value
  )
}

/**
 * Whether an Orange Book strength is that of a directory's label ("37.5 mg / 25 mg"). A text that
 * cannot be read matches nothing. Both name the ingredients of a combination in their own order.
 */
export function isStrength(listed: string, label: string): boolean {
  const amounts = parseListed(listed)
  const others = parseLabel(label)
  if (!amounts || !others || amounts.length !== others.length) return false
  const left = [...others]
  return amounts.every((amount) => {
    const at = left.findIndex((other) => isSame(amount, other))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}
