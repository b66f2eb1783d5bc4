import type { DosageForm } from '#domain/catalog/catalog.ts'
import { RowRejectedError, type DirectoryRow } from './columns.ts'
import { toMoiety } from '#domain/catalog/moiety.ts'
import { parseRelease, type Release } from './release.ts'
import type { RouteGroup } from './routes.ts'

/**
 * The scope of an average acquisition cost, parsed from a term like "Losartan-HCTZ 50-12.5mg
 * Tablet".
 */
export type PriceTerm = {
  term: string
  /** Base moieties, sorted. */
  moieties: string[]
  /** The brand, when the term names one: "Climara (Estradiol) …". */
  brand: string | null
  route: RouteGroup
  forms: readonly DosageForm[]
  release: Release
  /** Amounts as in `comparableAmounts`, sorted. */
  amounts: string
  /** The unit that is priced. */
  unit: 'unit' | 'g' | 'mL'
  /** Hundred-thousandths of a dollar: NADAC prices have five decimals. */
  unitPrice: number
}

/** The part of a variant that determines its price. */
export type PriceableVariant = {
  brandName: string | null
  dosageForm: string | null
  strength: string
  strengthUnit: string
  packageSize: number
  packageUnit: string
  labelForm: string | null
}

const topicalForms: readonly (readonly [RegExp, DosageForm])[] = [
  [/\bcream\b/i, 'cream'],
  [/\blotion\b/i, 'cream'],
  [/\bointment\b/i, 'ointment'],
  [/\bgel\b/i, 'gel'],
]

function parseForm(text: string): { route: RouteGroup; forms: readonly DosageForm[] } | null {
  if (
    /inhal|aerosol|diskus|nebuli|kit\b|vials?\b|pens?\b|syringe|injector|ampules|pak\b|pack(?:et)?s?\b(?! of)|gum|ring\b|swab|enema|therapy|dose pack/i.test(
      text,
    )
  )
    return null
  if (/sublingual tablet|tablet sublingual/i.test(text)) return { route: 'oromucosal', forms: ['tablet'] }
  if (/vaginal tablet/i.test(text)) return { route: 'vaginal', forms: ['tablet'] }
  if (/tablet/i.test(text)) return { route: 'oral', forms: ['tablet'] }
  if (/capsule/i.test(text)) return { route: 'oral', forms: ['capsule'] }
  if (/patch/i.test(text)) return { route: 'transdermal', forms: ['patch'] }
  if (/suppositor/i.test(text)) return { route: 'rectal', forms: ['suppository'] }
  if (/nasal/i.test(text)) return { route: 'nasal', forms: ['liquid'] }
  if (/\b(?:ear|otic)\b/i.test(text)) return { route: 'otic', forms: ['liquid'] }
  if (/ophthalmic|opthalmic|dropper/i.test(text)) return { route: 'ophthalmic', forms: ['liquid'] }
  const topical = topicalForms.find(([pattern]) => pattern.test(text))
  if (topical) return { route: /vaginal/i.test(text) ? 'vaginal' : 'topical', forms: [topical[1]] }
  if (/shampoo|foam|oil\b/i.test(text)) return { route: 'topical', forms: ['liquid'] }
  if (/syrup|elixir|suspension|oral solution/i.test(text))
    return { route: 'oral', forms: ['liquid', 'syrup'] }
  if (/% bottle of solution|% solution|topical solution/i.test(text))
    return { route: 'topical', forms: ['liquid'] }
  if (/bottle of solution|solution/i.test(text)) return { route: 'oral', forms: ['liquid', 'syrup'] }
  return null
}

const milligrams: Readonly<Record<string, number>> = { mg: 1, g: 1000, gm: 1000, mcg: 0.001 }

/**
 * Converts an amount to a notation-independent text: milligrams (per mL or g for a concentration).
 */
function comparable(value: string, unit: string): string | null {
  const number = Number(value.replaceAll(',', ''))
  if (!Number.isFinite(number)) return null
  if (unit.startsWith('%')) return `${roundTo6(number * 10)}/`
  const [amount = '', per] = unit.split('/')
  const scale = milligrams[amount.trim().toLowerCase()]
  if (per === undefined)
    return scale === undefined
      ? `${roundTo6(number)} ${amount.toLowerCase()}`
      : `${roundTo6(number * scale)} mg`
  const [, size = '', of = ''] = /^ *(?:([\d.]+) *)?(mL|g|gm)$/i.exec(per) ?? []
  if (!of) return `${roundTo6(number)} ${unit.toLowerCase().replace(/\s/g, '')}`
  const each = number / (size ? Number(size) : 1)
  return scale === undefined ? `${roundTo6(each)} ${amount.toLowerCase()}/` : `${roundTo6(each * scale)}/`
}

/**
 * Sorted, so that two lists of the same amounts are equal. Null when an amount could not be parsed.
 */
function joinedAmounts(amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null)
  return known.length < amounts.length ? null : known.toSorted((a, b) => (a < b ? -1 : 1)).join(' + ')
}

const roundTo6 = (value: number): number => Number(value.toPrecision(6))

const shortNames: Readonly<Record<string, string>> = {
  hctz: 'hydrochlorothiazide',
  'pot clavulanate': 'clavulanate',
  'potassium clavulanate': 'clavulanate',
  tenofo: 'tenofovir',
  betameth: 'betamethasone dipropionate',
  'isosorb dinitrate': 'isosorbide dinitrate',
}

const releaseWords =
  /\b(?:extended[ -]release|delayed[ -]release|sustained[ -]release|ER|XR|SR|XL|LA|CD|DR|EC|ODT|PF)\b/gi

function moietiesIn(names: string): string[] {
  return names
    .replace(/\((?:ER|XR|SR|XL|LA|CD|DR|EC|ODT|PF|extended release|delayed release)\)/gi, ' ')
    .replace(releaseWords, ' ')
    .split(/(?:(?<!\s)\s+)?[-/&]\s*|(?<!\s)\s+and\s+/)
    .map((name) => name.replace(/[()]/g, ' ').replace(/\s+/g, ' ').trim().toLowerCase())
    .filter(Boolean)
    .map((name) => toMoiety(shortNames[name] ?? name))
    .sort()
}

/** "50-12.5mg", "10mg-100mg", "0.1%", "5 mg/5mL" → comparable amounts, or null. */
function amountsIn(text: string): string | null {
  const [matched, numbers = '', unit = ''] =
    /^((?:[\d.,]+ ?(?:mg|mcg|gm?|%)? ?[-/] ?)*[\d.,]+) ?(mg|mcg|gm?|%|mEq|units?)(?![a-z])/i.exec(text) ?? []
  if (!matched) return null
  const per = /^ ?\/ ?([\d.]* ?(?:mL|gm?|hr|24hr|day))\b/i.exec(text.slice(matched.length))?.[1]
  if (per && /hr|day/i.test(per)) return null
  const values = numbers.split(/ ?[-/] ?/)
  const amounts = values.map((value) => {
    const match = /^([\d.,]+) ?([a-z%]+)$/i.exec(value)
    return comparable(match?.[1] ?? value, (match?.[2] ?? unit) + (per ? `/${per}` : ''))
  })
  return joinedAmounts(amounts)
}

/**
 * Parses a price row. Null for products that are not matched by name (kits, pens, inhalers). Throws
 * RowRejectedError when the price or unit is invalid.
 */
export function fromNadacRow(row: DirectoryRow<'nadac'>): PriceTerm | null {
  if (!row.drug_term) throw new RowRejectedError('the row names no product')
  if (!/^\d{1,7}(?:\.\d{1,5})?$/.test(row.nadac_per_unit_usd) || Number(row.nadac_per_unit_usd) === 0)
    throw new RowRejectedError(`"${row.nadac_per_unit_usd}" is not a price`)
  const unit = { EA: 'unit', GM: 'g', ML: 'mL' }[row.pricing_unit]
  if (unit !== 'unit' && unit !== 'g' && unit !== 'mL')
    throw new RowRejectedError(`the pricing unit is "${row.pricing_unit}", not EA, GM or ML`)
  const [, named = '', rest = ''] = /^(.*?) ((?:[\d.,]).*)$/.exec(row.drug_term) ?? []
  const form = parseForm(rest)
  const amounts = amountsIn(rest)
  if (!named || !form || !amounts) return null
  // "Climara (Estradiol)" prices the brand. "Divalproex Sodium Delayed Release (DR)" only repeats
  // the release.
  const [branded, brand = '', generic = ''] =
    /^(.+?) \(((?!ER|XR|DR|SR|XL|CD|extended|delayed|salmon)[^)]{4,})\)/i.exec(named) ?? []
  return {
    term: row.drug_term,
    moieties: moietiesIn(branded ? generic : named),
    brand: branded ? brand : null,
    ...form,
    release: parseRelease(row.drug_term),
    amounts,
    unit,
    unitPrice: Math.round(Number(row.nadac_per_unit_usd) * 100_000),
  }
}

/** A variant's amounts, comparable with a term's. */
function comparableAmounts(variant: PriceableVariant): string | null {
  const { strength, strengthUnit } = variant
  if (!strength || strengthUnit === 'more') return null
  const amounts = strength.includes(' + ')
    ? `${strength} ${strengthUnit}`.split(' + ').map((part) => {
        const at = part.indexOf(' ')
        return comparable(part.slice(0, at), part.slice(at + 1))
      })
    : strength.split('/').map((value) => comparable(value, strengthUnit))
  return joinedAmounts(amounts)
}

/** How many priced units a package contains. Null when that is unknown. */
function countPricedUnits(variant: PriceableVariant, unit: PriceTerm['unit']): number | null {
  if (unit === 'unit')
    return /^(?:tablet|capsule|patch|suppository)$/.test(variant.packageUnit) ? variant.packageSize : null
  if (variant.packageUnit === unit) return variant.packageSize
  const fraction = new RegExp(`^([\\d.]+) ${unit}(?: [a-z]+)?$`).exec(variant.packageUnit)?.[1]
  return fraction && variant.packageSize === 1 ? Number(fraction) : null
}

/** Whether the brand contains an ingredient's name: "APO-Sertraline" is priced as a generic. */
const isBrandedGeneric = (brand: string, moieties: readonly string[]): boolean =>
  moieties.some((moiety) => brand.toLowerCase().includes(moiety.split(' ')[0] ?? moiety))

export type FoundPrice = { priceCents: number; acquisitionCostCents: number }

/**
 * The retail price from the average cost: 25 % for the shop and four dollars for dispensing. Never
 * 0.
 */
export function priceFromCost(acquisitionCostCents: number): number {
  return Math.round(acquisitionCostCents * 1.25) + 400
}

/**
 * The price of a variant, or null when strength, form, release, brand or package does not match the
 * term.
 */
export function findPrice(variant: PriceableVariant, term: PriceTerm): FoundPrice | null {
  const fitsBrand = term.brand
    ? variant.brandName !== null && variant.brandName.toLowerCase().startsWith(term.brand.toLowerCase())
    : variant.brandName === null || isBrandedGeneric(variant.brandName, term.moieties)
  if (!fitsBrand || !term.forms.some((form) => form === variant.dosageForm)) return null
  if (parseRelease(variant.labelForm ?? '') !== term.release) return null
  if (comparableAmounts(variant) !== term.amounts) return null
  const quantity = countPricedUnits(variant, term.unit)
  if (!quantity) return null
  const acquisitionCostCents = Math.max(1, Math.round((term.unitPrice * quantity) / 1000))
  return { priceCents: priceFromCost(acquisitionCostCents), acquisitionCostCents }
}
