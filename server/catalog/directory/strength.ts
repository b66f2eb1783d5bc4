/**
 * A strength, displayed as `strength` + ' ' + `strengthUnit` ("12.5/20 mg", "100 mg/300 mcg", "25
 * mg/5 mL").
 */
export type Strength = { strength: string; strengthUnit: string }

/**
 * One ingredient's amount. The unit includes the denominator ("mg/5 mL") and is empty when only a
 * number is published.
 */
export type Amount = { value: string; unit: string }

/** ".5" → "0.5", "3.0" → "3". Other text is returned unchanged. */
export function plainNumber(text: string): string {
  const [, whole = '', decimals = ''] = /^0*([1-9]\d*)?(?:\.(\d*))?$/.exec(text.trim()) ?? []
  const fraction = decimals.replace(/(?<!0)0+$/, '')
  if (!whole && !fraction) return /^[0.]+$/.test(text.trim()) ? '0' : text.trim()
  return (whole || '0') + (fraction && `.${fraction}`)
}

/** UCUM and directory units as labels print them. "ug" and "[iU]" are easily misread (ISMP). */
const unitLabels: Readonly<Record<string, string>> = {
  ug: 'mcg',
  uL: 'microL',
  uCi: 'microCi',
  umol: 'micromol',
  meq: 'mEq',
  U: 'units',
  '1': 'units',
  '[iU]': 'IU',
  "[USP'U]": 'USP units',
  "[arb'U]": 'units',
  "[Amb'a'1'U]": 'Amb a 1 units',
  '[PNU]': 'PNU',
  '[BAU]': 'BAU',
  '[AU]': 'AU',
  '[CFU]': 'CFU',
  '[hp_X]': 'X',
  '[hp_C]': 'C',
  '{kp_C}': 'C',
  '[hp_M]': 'M',
}
const denominatorLabels: Readonly<Record<string, string>> = {
  d: 'day',
  ug: 'mcg',
  uL: 'microL',
  "[USP'U]": 'h',
}

/**
 * The denominator of an American unit. "mg/5mL" → "/5 mL", "mg/1" → "" (each tablet). "mg/301" is
 * thirty of 1: a typo for "1" when the package holds thirty, else a dose of several units.
 */
function americanPer(per: string, packSize: string): string {
  const [, number = '', text = ''] = /^(\d*(?:\.\d*)?)([^\d.].*)?$/.exec(per) ?? []
  const unit = text || (number.endsWith('1') ? '1' : '')
  const amount = text ? number : number.slice(0, -unit.length || 0)
  if (unit === '1')
    return amount === '' || amount === packSize || Number(amount) > 9 ? '' : `/${amount} units`
  const word = denominatorLabels[unit] ?? unit
  if (!amount || plainNumber(amount) === '1') return `/${word}`
  return `/${plainNumber(amount)} ${unit === 'd' ? 'days' : word}`
}

/**
 * The amounts of an American row, from its two lists with one entry per ingredient.
 * @param packSize the row's package_size, to detect a typo in some rows
 */
export function americanAmounts(strengths: string, units: string, packSize: string): Amount[] {
  if (!strengths) return []
  const unitList = units.replaceAll('&apos', '').split('; ')
  return strengths.split('; ').map((value, i) => {
    const written = unitList[i] ?? ''
    const slash = written.indexOf('/')
    const unit = slash < 0 ? written : written.slice(0, slash)
    const per = slash < 0 ? '' : americanPer(written.slice(slash + 1), packSize)
    const word = unit === '1' && per === '' ? 'units' : (unitLabels[unit] ?? unit)
    return { value: plainNumber(value), unit: word + per }
  })
}

const canadianUnits: Readonly<Record<string, string>> = {
  MG: 'mg',
  G: 'g',
  MCG: 'mcg',
  ML: 'mL',
  CC: 'mL',
  L: 'L',
  KG: 'kg',
  MCL: 'microL',
  MCMOL: 'micromol',
  UNIT: 'units',
  HOUR: 'h',
  DAY: 'day',
  ACT: 'actuation',
  SYR: 'syringe',
  SUP: 'suppository',
  AMP: 'ampoule',
  CYLR: 'cylinder',
  CELLS: 'cells',
  PEN: 'pen',
  BAG: 'bag',
  KIT: 'kit',
}
/** Denominators that a bare amount implies: per tablet or capsule. */
const impliedDenominators = new Set(['TAB', 'CAP', 'VTAB', 'SRT'])

const canadianUnitLabel = (unit: string): string =>
  canadianUnits[unit] ?? (/^[A-Z]+$/.test(unit) && unit.length > 3 ? unit.toLowerCase() : unit)

/** The amounts of a Canadian row from "50 MG/2 ML / 1 %/W/V". */
export function canadianAmounts(display: string): Amount[] {
  if (!display) return []
  return display.split(' / ').map((part) => {
    const [, value = '', rest = ''] = /^(\S+) ?(.*)$/.exec(part) ?? []
    const percent = /^%\/?([WV])\/([WV])$/.exec(rest)
    if (percent) return { value: plainNumber(value), unit: `% ${percent[1]}/${percent[2]}`.toLowerCase() }
    const [unit = '', ...per] = rest.split('/')
    const [, amount = '', word = ''] = /^([\d.]*) ?(.*)$/.exec(per.join('/')) ?? []
    if (!word || word === '%' || impliedDenominators.has(word))
      return { value: plainNumber(value), unit: canadianUnitLabel(unit) }
    const size = plainNumber(amount)
    return {
      value: plainNumber(value),
      unit: `${canadianUnitLabel(unit)}/${size && size !== '1' ? `${size} ` : ''}${canadianUnitLabel(word)}`,
    }
  })
}

/** Longer lists of amounts are shortened. The directory's own text is shown beside them. */
const maxShown = 5
const shownWhenMore = 3

/**
 * Combines amounts into one strength. A common unit is written once: "25/3 mg". Many equal amounts:
 * "6 X each".
 */
export function combineAmounts(amounts: readonly Amount[]): Strength {
  const [first] = amounts
  if (!first) return { strength: '', strengthUnit: '' }
  const units = new Set(amounts.map((amount) => amount.unit))
  if (units.size === 1) {
    const values = amounts.map((amount) => amount.value)
    const alike = new Set(values).size === 1 && values.length > 2
    if (alike) return { strength: first.value, strengthUnit: `${first.unit} each` }
    if (values.length <= maxShown) return { strength: values.join('/'), strengthUnit: first.unit }
  }
  const written = amounts.map(({ value, unit }) => `${value} ${unit}`.trim())
  if (amounts.length > maxShown) {
    const shown = written.slice(0, shownWhenMore).join(' + ')
    return { strength: `${shown} and ${amounts.length - shownWhenMore}`, strengthUnit: 'more' }
  }
  const last = amounts.at(-1) ?? first
  return { strength: [...written.slice(0, -1), last.value].join(' + '), strengthUnit: last.unit }
}
