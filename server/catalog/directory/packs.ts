import { plainNumber } from './strength.ts'

/**
 * The contents of a package. A fractional or unstated size is 1 with a description as its unit: 1 ×
 * "3.5 g tube".
 */
export type Pack = { packageSize: number; packageUnit: string }

type Level = { count: number; written: string; unit: string; container: string }

/**
 * Parses "10 BLISTER PACK in 1 CARTON (0006-0270-21) > 10 TABLET in 1 BLISTER PACK". What a kit
 * adds after " * " is not counted.
 */
function parseLevels(description: string): Level[] {
  const [packed = ''] = description.split(' * ')
  return packed.split(' > ').flatMap((level) => {
    const [matched, written = '', unit = '', container = ''] =
      /^([\d.]+) (.+?) in 1 (.+?)(?: \([^)]*\))?$/.exec(level.trim()) ?? []
    return matched ? [{ count: Number(written), written, unit, container }] : []
  })
}

/** "BOTTLE, DROPPER" → "bottle", "BLISTER PACK" → "blister pack". */
const noun = (words: string): string => (words.split(',')[0] ?? words).toLowerCase()

const measures: Readonly<Record<string, string>> = { uL: 'microL' }
const isMeasure = (unit: string): boolean => /^(?:mL|L|g|kg|mg|uL)$/.test(unit)
/** Durations and areas of patches, which are not counts. */
const isNotCount = (unit: string): boolean => /^(?:h|d|cm2|\[USP'U\])$/.test(unit)

/** The name of a counted unit: a metered spray counts doses, one powder in a vial is a vial. */
function countedUnit(level: Level): string {
  if (/^(?:AEROSOL|SPRAY|INHALANT)/.test(level.unit)) return 'dose'
  if (level.unit.startsWith('POWDER') && /INHALER|DISKUS/.test(level.container)) return 'dose'
  if (/^(?:INJECT|POWDER|GAS|SOLUTION|SUSPENSION|FOR SUSPENSION|CREAM|OINTMENT|GRANULE)/.test(level.unit))
    return noun(level.count === 1 ? level.container : level.unit)
  return noun(level.unit)
}

const maxSize = 2_147_483_647
const isValidSize = (size: number): boolean => Number.isInteger(size) && size > 0 && size <= maxSize
const product = (levels: readonly Level[]): number => levels.reduce((size, level) => size * level.count, 1)

/** The package of an American row, from its package_description and dosage_form. */
export function americanPack(description: string, form: string): Pack {
  const levels = parseLevels(description)
  const inner = levels.at(-1)
  if (!inner) return { packageSize: 1, packageUnit: 'package' }
  if (isNotCount(inner.unit)) {
    // "8 POUCH in 1 CARTON > 3.5 d in 1 POUCH": eight patches, whatever the container.
    levels.pop()
    const count = product(levels)
    return { packageSize: isValidSize(count) ? count : 1, packageUnit: noun(form) }
  }
  const size = Number(product(levels).toPrecision(12))
  const unit = isMeasure(inner.unit) ? (measures[inner.unit] ?? inner.unit) : countedUnit(inner)
  if (isValidSize(size)) return { packageSize: size, packageUnit: unit }
  const amount = `${plainNumber(inner.written)} ${unit}`
  const outer = product(levels.slice(0, -1))
  const container = noun(inner.container)
  return {
    packageSize: 1,
    packageUnit:
      outer === 1 ? `${amount} ${container}` : `${noun(levels[0]?.container ?? '')} of ${outer} × ${amount}`,
  }
}

const canadianMeasures: Readonly<Record<string, string>> = {
  ML: 'mL',
  G: 'g',
  GM: 'g',
  MG: 'mg',
  L: 'L',
  KG: 'kg',
  CC: 'mL',
}
const canadianUnits: Readonly<Record<string, string>> = {
  CART: 'cartridge',
  TAB: 'tablet',
  TABS: 'tablet',
  CAP: 'capsule',
  CAPS: 'capsule',
  SYR: 'syringe',
  AMP: 'ampoule',
  AMPS: 'ampoule',
  // Some Canadian rows are in French.
  COMPRIME: 'tablet',
  COMPRIMES: 'tablet',
}
const plainPart = /^(\d{1,9}) ?([A-Z]*)$/
const maxUnitLength = 40

/** The unit that a bare number counts for this form. */
function defaultUnit(form: string): string {
  const known =
    /TABLET|CAPSULE|PATCH|SUPPOSITORY|LOZENGE|OVULE|WIPE|SWAB|INSERT|FILM|RING|IMPLANT|SPONGE/.exec(form)
  return known ? known[0].toLowerCase() : 'unit'
}

const readableSize = (words: string): string =>
  words
    .toLowerCase()
    .replace(/(\d) ?x ?(?=\d)/g, '$1 × ')
    .replace(
      /(\d) ?(ml|g|mg|l|kg)\b/g,
      (_, digit: string, unit: string) => `${digit} ${unit.replace('l', 'L')}`,
    )
    .slice(0, maxUnitLength)
    .trim()

/**
 * The package of a Canadian row. A DIN does not identify a package, so its first plain number
 * counts ("30/100/500", "5/10/20ML").
 */
export function canadianPack(information: string, form: string): Pack {
  const parts = information
    .toUpperCase()
    .split(/[/;&,]| AND /)
    .map((part) => part.trim())
    .filter(Boolean)
  const [first] = parts
  if (!first) return { packageSize: 1, packageUnit: 'package' }
  const last = plainPart.exec(parts.at(-1) ?? '')?.[2] ?? ''
  for (const part of parts) {
    const [matched, number = '', written = ''] = plainPart.exec(part) ?? []
    if (!matched || Number(number) === 0) continue
    // "5/10/20ML": the last part's unit applies to all.
    const unit = written || (canadianMeasures[last] ? last : '')
    const word =
      canadianMeasures[unit] ??
      canadianUnits[unit] ??
      (unit ? unit.toLowerCase().replace(/(?<=\w{3})s$|(?<=ch)es$/, '') : defaultUnit(form))
    return { packageSize: Number(number), packageUnit: word }
  }
  return { packageSize: 1, packageUnit: readableSize(first) }
}
