import { dayMs } from '../days.ts'
/** Whole years and days of age on a day. Both are `YYYY-MM-DD`; null when the birth date is not. */
export function ageOn(birthDate: string | null, today: string): { years: number; days: number } | null {
  const born = Date.parse(`${birthDate ?? ''}T00:00:00Z`)
  const now = Date.parse(`${today}T00:00:00Z`)
  if (birthDate === null || Number.isNaN(born) || Number.isNaN(now) || born > now) return null
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4))
  const hadBirthday = today.slice(5) >= birthDate.slice(5)
  return { years: hadBirthday ? years : years - 1, days: Math.floor((now - born) / dayMs) }
}

const daysPer = { year: 365.25, month: 30.4375, week: 7, day: 1 } as const

/** "less than 2 years of age", "under the age of 12 years". */
const below =
  /(?:less than|younger than|under|below|first)\s{1,2}(?:the age of\s{1,2})?(\d{1,3})\s{0,2}(year|month|week|day)s?/gi
/** "28 days of age or younger". Someone of 28 days is among them, until they are 29 days old. */
const upTo =
  /(?<!\d)(\d{1,3})\s{0,2}(year|month|week|day)s?\s{1,2}(?:of age\s{1,2})?(?:or|and)\s{1,2}(?:younger|less|under)/gi
const childWords = /\b(?:pediatric|children|child|adolescents?)\b/i
const infantWords = /\b(?:infants?|neonat(?:es?|al)|newborns?|premature)\b/i

/**
 * Whether a label's sentence about children concerns a patient. The sentence's own limit of age
 * decides, the highest of several. Without one, children are those under 18 and infants those under
 * a year.
 */
export function concernsAge(sentence: string, { years, days }: { years: number; days: number }): boolean {
  const stated = [
    ...[...sentence.matchAll(below)].map(([, count, unit]) => Number(count) * daysPerUnit(unit ?? '')),
    ...[...sentence.matchAll(upTo)].map(([, count, unit]) => (Number(count) + 1) * daysPerUnit(unit ?? '')),
  ]
  if (stated.length > 0) return days < Math.max(...stated)
  if (childWords.test(sentence)) return years < 18
  return infantWords.test(sentence) ? years < 1 : years < 18
}

const daysPerUnit = (unit: string): number => {
  const name = unit.toLowerCase()
  return name === 'year' || name === 'month' || name === 'week' ? daysPer[name] : daysPer.day
}

/** Labels' geriatric sections begin at 65. */
export const elderlyFrom = 65

/**
 * Whether a label's text about older adults is about them by their age alone. "Elderly
 * patients with dementia-related psychosis" says less: the record has no diagnoses. So does a text
 * that was cut before it names them.
 */
export const concernsElderly = (text: string): boolean =>
  text
    .split(/[.;…]\s/)
    .some(
      (sentence) =>
        /\b(?:elderly|geriatric|65 years)\b/i.test(sentence) &&
        !/\belderly (?:patients?|adults?|people|persons?) with\b|dementia/i.test(sentence),
    )
