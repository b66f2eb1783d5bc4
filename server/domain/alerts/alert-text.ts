import { strengthLabel } from '../catalog/catalog.ts'
import { capitalize } from '../catalog/substance-name.ts'
import type {
  Alert,
  AlertItem,
  AlertKind,
  AlertSide,
  AlertSource,
  NotChecked,
  ScreeningList,
} from '../screening/alert.ts'
import { dailyMedUrl, unknownAge } from '../screening/alert.ts'
import { recordedRecalls } from '../screening/recall.ts'

/**
 * The words of an alert, for customers and pharmacists alike. They say what a list has, never that
 * something is safe.
 */

export const alertKindLabels = {
  recall: 'Recall',
  allergy: 'Allergy',
  interaction: 'Interaction',
  'same-ingredient': 'Same ingredient twice',
  pregnancy: 'Pregnancy',
  age: 'Age',
  'same-class': 'Same class twice',
  'boxed-warning': 'Boxed warning',
  rems: 'REMS',
  'medication-guide': 'Medication Guide',
  dose: 'Daily dose',
  shortage: 'Shortage',
} as const satisfies Record<AlertKind, string>

/** How a source is named beside an alert. */
export const listNames = {
  'ingredient-names': 'Ingredients of products (FDA and Health Canada)',
  'ingredient-classes': 'Classes of ingredients (FDA and Health Canada)',
  'interactions-ndfrt': 'Interactions from the U.S. Department of Veterans Affairs (NDF-RT)',
  'interactions-label': 'FDA labels',
  'interaction-class-members': 'Classes that FDA labels name',
  'allergy-groups': 'Allergy groups (FDA and Health Canada)',
  'allergy-label': 'FDA labels',
  'label-safety': 'FDA labels',
  'boxed-warnings': 'FDA labels with boxed warnings',
  recalls: 'FDA enforcement reports',
  'recalls-2023-2025-no-lots': 'FDA recalls without lot numbers',
  'recorded-recalls': 'Recalls recorded by staff',
  shortages: 'FDA drug shortages',
} as const satisfies Record<ScreeningList, string>

const formats = {
  10: new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }),
  7: new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
}

/** "Nov 3, 2026", "Nov 2026" or "2026", as exact as the list says. */
export function listDateText(iso: string): string {
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return iso
  return iso.length === 7 || iso.length === 10 ? formats[iso.length].format(time) : iso
}

const lastAnd = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** Ends a text like a sentence. */
export const sentenceOf = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** "WARFARIN SODIUM + X" as words of a sentence: "warfarin sodium and x". */
export const ingredientText = (key: string): string => lastAnd(key.toLowerCase().split(' + '))

/** "Advil (ibuprofen)": what the page calls it, with what the list calls it. */
function sideText({ key, items }: AlertSide): string {
  const names = lastAnd([...new Set(items.map(({ name }) => name))])
  const ingredient = ingredientText(key)
  return ingredient === '' || names.toLowerCase().includes(ingredient) || key.includes(' + ')
    ? names
    : `${names} (${ingredient})`
}

/** How alerts name a line: "Advil 200 mg". */
export const alertLineName = (
  product: { name: string },
  variant: { brandName: string | null; strength: string; strengthUnit: string },
): string => [variant.brandName ?? product.name, strengthLabel(variant)].filter(Boolean).join(' ')

/** What is on file about the patient: "You take Coumadin". */
function recordText(item: AlertItem, side: AlertSide, isOwn: boolean): string {
  const named = sideText({ key: side.key, items: [item] })
  switch (item.kind) {
    case 'listed':
      return isOwn ? `You take ${named}.` : `Takes ${named}.`
    case 'dispensed':
      return isOwn ? `We dispensed ${named} to you.` : `Was dispensed ${named}.`
    case 'ordered':
      return isOwn ? `You have ${named} in another order.` : `Has ${named} in another order.`
    case 'allergy':
      return isOwn ? `Your record has an allergy: ${item.name}.` : `Has an allergy: ${item.name}.`
    case 'patient':
      return isOwn ? `Your record says: ${item.name}.` : `On record: ${item.name}.`
    case 'line':
      return ''
  }
}

/** What a recall asks of the staff. */
const recallEffects: { [Effect in NonNullable<Alert['effect']>]?: string } = {
  block: 'The line can’t ship with this stock.',
  'check-pack': 'Someone has to check the lot on the package before it ships.',
}

const recallLimits = ({ sources: [source] }: Pick<Alert, 'sources'>): string | null =>
  source?.list === recordedRecalls ? null : fdaLimits

const fdaLimits =
  'The status is from the date of the report: the FDA doesn’t update it, and the list that comes with the shop ends in July 2023. Canadian recalls are not listed.'

const countItems = (first: AlertSide, second: AlertSide | null): number =>
  first.items.length + (second?.items.length ?? 0)

/** A warning about an age that the record does not confirm. */
const ageText = ({ detail, sources: [source] }: Alert): string =>
  [
    `The label has a warning about ${source?.grade === 'Older adults' ? 'older adults' : 'children'}.`,
    detail === unknownAge ? 'No date of birth is on record, so we can’t say whether it applies.' : null,
  ]
    .filter(Boolean)
    .join(' ')

/** What the lists have, in one sentence. */
function factText(alert: Alert): string {
  const { kind, detail, sources, first, second, effect } = alert
  const [source] = sources
  switch (kind) {
    case 'interaction':
      return source?.className
        ? `A label warns about taking it with a class of medicines: ${source.className}.`
        : source?.list === 'interactions-ndfrt'
          ? 'A list of interactions warns about taking these together.'
          : 'A label warns about taking these together.'
    case 'allergy':
      return source?.list === 'allergy-label'
        ? `A label warns people with an allergy to ${detail}.`
        : detail === ''
          ? 'It contains the ingredient in the allergy.'
          : `${capitalize(ingredientText(first.key))} is in ${second?.key === detail ? 'this' : 'the same'} allergy group: ${detail}.`
    case 'same-ingredient':
      return `${countItems(first, second) > 2 ? 'All' : 'Both'} contain the same ${first.key.includes(' + ') ? 'ingredients' : 'ingredient'}: ${ingredientText(first.key)}.`
    case 'same-class':
      return `Both are in the same class: ${detail}.`
    case 'pregnancy':
      return second ? 'The label warns about use in pregnancy.' : 'The label has a warning about pregnancy.'
    case 'age':
      return second ? 'The label warns about use at this age.' : ageText(alert)
    case 'boxed-warning':
      return 'The label has a boxed warning.'
    case 'rems':
      return 'The label names a safety program (REMS).'
    case 'medication-guide':
      return 'The label has a Medication Guide.'
    case 'recall':
      return [`Recalled: ${sentenceOf(detail)}`, effect && recallEffects[effect], recallLimits(alert)]
        .filter(Boolean)
        .join(' ')
    case 'dose':
      return sentenceOf(detail)
    case 'shortage':
      return detail === '' ? 'In shortage.' : `In shortage: ${sentenceOf(detail)}`
  }
}

/** A source in words: who says it, where, since when. */
export type SourceText = {
  /** The list's row, for React. */
  id: string
  /** "Label of warfarin, Drug interactions, Mar 2, 2024". */
  text: string
  /** The label's own words. */
  quote: string | null
  /** The label at DailyMed. */
  href: string | null
  /** Identifies the row, to mark it as wrong; null where it cannot be wrong alone. */
  rowKey: string | null
}

export function sourceText(source: AlertSource): SourceText {
  const { list, listDate, grade, labelOf, labelDate, sentence, setId, className, rowKey } = source
  const isLabel = labelOf !== null
  const parts = [
    isLabel ? `Label of ${ingredientText(labelOf)}` : listNames[list],
    grade === '' ? null : list === 'interactions-ndfrt' ? `rated ${grade}` : grade,
    className === null || className === undefined ? null : `class ${className}`,
    labelDate ? listDateText(labelDate) : listDate ? `list of ${listDateText(listDate)}` : 'date unknown',
  ]
  const text = parts.filter((part) => part !== null).join(', ')
  const href = setId === null ? null : dailyMedUrl(setId)
  return { id: `${list} ${text}`, text, quote: sentence, href, rowKey }
}

/** An alert in words. */
export type AlertText = {
  /** "Advil and Coumadin (warfarin)". */
  title: string
  /** "You take Coumadin (warfarin). A label warns about taking these together." */
  fact: string
  sources: SourceText[]
}

/** @param isOwn whether the reader is the patient */
export function alertText(alert: Alert, { isOwn }: { isOwn: boolean }): AlertText {
  const sides = [alert.first, ...(alert.second ? [alert.second] : [])]
  const onRecord = sides.flatMap((side) =>
    side.items.flatMap((item) => (item.kind === 'line' ? [] : [recordText(item, side, isOwn)])),
  )
  return {
    title: titleOf(alert),
    fact: [...new Set(onRecord), factText(alert)].join(' '),
    sources: alert.sources.map(sourceText),
  }
}

function titleOf({ first, second }: Alert): string {
  if (second === null || second.items.every(({ kind }) => kind === 'patient')) return sideText(first)
  const other = second.items.every(({ kind }) => kind === 'allergy')
    ? `an allergy: ${lastAnd(second.items.map(({ name }) => name))}`
    : sideText(second)
  return sideText(first) === other ? other : `${sideText(first)} and ${other}`
}

/** "For Sofia: Advil and Coumadin (warfarin)". */
export const forPerson = (dependantName: string | null, text: string): string =>
  dependantName === null ? text : `For ${dependantName}: ${text}`

/** What could not be checked, in words. */
export function notCheckedText(each: NotChecked): string {
  switch (each.kind) {
    case 'medication':
      return `${each.name}: this name is in none of our lists, so it was not checked.`
    case 'allergy':
      return `Allergy “${each.name}”: it is in none of our lists, so it was not checked.`
    case 'line':
      return `${each.name}: not all of its ingredients are known, so it was only partly checked.`
    case 'breastfeeding':
      return 'Breastfeeding: none of our lists covers it, so it was not checked.'
    case 'weight':
      return 'Weight: none of our lists has doses by weight, so it was not checked.'
  }
}
