import { ageOn, concernsAge, concernsElderly } from '#domain/screening/age.ts'
import { expect, test } from 'vitest'

test.each([
  ['2000-11-22', { years: 26, days: 9496 }],
  ['2000-11-23', { years: 25, days: 9495 }],
  ['2000-12-01', { years: 25, days: 9487 }],
  ['2000-01-30', { years: 26, days: 9793 }],
  ['2026-11-22', { years: 0, days: 0 }],
  ['2026-11-23', null],
  ['not a date', null],
  [null, null],
])('born on %s', (birthDate, age) => {
  expect(ageOn(birthDate, '2026-11-22')).toEqual(age)
})

test('an invalid day gives no age', () => {
  expect(ageOn('2000-01-01', 'today')).toBeNull()
})

/** The first age in days that a sentence does not concern. */
const limitOf = (sentence: string): number => {
  let days = 0
  while (days < 40_000 && concernsAge(sentence, { years: Math.floor(days / 365.25), days })) days += 1
  return days
}

test.each([
  ['Contraindicated in patients less than 2 years of age', 731],
  ['Contraindicated in patients less  than 2 years', 6575],
  ['younger than 1 year', 366],
  ['under 6 months', 183],
  ['under  the age of  6  months', 183],
  ['below 12 weeks', 84],
  ['in the first 28 days', 28],
  ['under 12years', 4383],
  ['Under 1 Month of age', 31],
  ['2 years of age or younger', 1096],
  ['12 weeks and under', 91],
  ['12 months or less', 396],
  ['1 month  of age  or  younger', 61],
  ['28days and younger', 29],
  ['Neonates (28 days of age or younger) receiving ceftriaxone', 29],
  ['under 12 years; under 18 years after surgery', 6575],
  ['under 18 years after surgery; under 12 years', 6575],
])('"%s" concerns those of fewer than %i days', (sentence, days) => {
  expect(limitOf(sentence)).toBe(days)
})

test.each([
  ['in pediatric patients', 18],
  ['in children', 18],
  ['in a child', 18],
  ['in an adolescent', 18],
  ['in adolescents', 18],
  ['in infants and children', 18],
  ['in an infant', 1],
  ['in infants', 1],
  ['in a neonate', 1],
  ['in neonates', 1],
  ['in neonatal patients', 1],
  ['in a newborn', 1],
  ['in newborns', 1],
  ['in premature babies', 1],
  ['in the young', 18],
])('"%s" names those under %i', (sentence, limit) => {
  const concerns = (years: number): boolean => concernsAge(sentence, { years, days: years * 366 })
  expect([concerns(limit - 1), concerns(limit), concerns(60)]).toEqual([true, false, false])
})

test.each([
  ['Elderly patients are at greater risk', true],
  ['Use in geriatric patients', true],
  ['Patients over 65 years', true],
  ['Elderly patients with dementia', false],
  ['An elderly patient with psychosis', false],
  ['elderly adults with diabetes', false],
  ['an elderly adult with diabetes', false],
  ['elderly people with diabetes', false],
  ['an elderly person with diabetes', false],
  ['elderly persons with diabetes', false],
  ['geriatric patients; dementia', true],
  ['Dementia in geriatric patients', false],
  ['Elderly patients with dementia. Geriatric patients fall more often', true],
  ['Geriatric patients fall more often. Elderly patients with dementia', true],
  ['Use with care… elderly', true],
  ['Adults', false],
])('"%s" is about older adults by their age alone: %s', (text, expected) => {
  expect(concernsElderly(text)).toBe(expected)
})
