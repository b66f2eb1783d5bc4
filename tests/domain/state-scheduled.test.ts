import {
  addDrugSchema,
  describeListed,
  hasIngredient,
  maxStateScheduled,
  statesThatSchedule,
  toStateCode,
  withDrugs,
  withoutDrug,
} from '#domain/settings/state-scheduled.ts'
import { expect, test } from 'vitest'

const gabapentin = (state: string) => ({ ingredient: 'gabapentin', state })
const list = [gabapentin('KY'), gabapentin('AL'), { ingredient: 'Tramadol', state: 'MI' }]

test('a drug is scheduled in the states of its ingredient, with any salt', () => {
  expect(statesThatSchedule(list, ['Gabapentin'])).toEqual(['AL', 'KY'])
  expect(statesThatSchedule(list, ['TRAMADOL HYDROCHLORIDE'])).toEqual(['MI'])
  expect(statesThatSchedule(list, ['ibuprofen', 'tramadol', 'gabapentin'])).toEqual(['AL', 'KY', 'MI'])
  expect(statesThatSchedule(list, ['ibuprofen'])).toEqual([])
  expect(statesThatSchedule([...list, gabapentin('KY')], ['gabapentin'])).toEqual(['AL', 'KY'])
})

test('a drug does not match an ingredient that only starts with its name', () => {
  expect(hasIngredient(['gabapentin enacarbil'], 'gabapentin')).toBe(true)
  expect(hasIngredient(['gabapentinoid'], 'gabapentin')).toBe(false)
  expect(hasIngredient(['pregabalin'], 'gabalin')).toBe(false)
  expect(hasIngredient(['tramadol'], 'tramadol hydrochloride')).toBe(false)
})

test('a state is its postal code or its name', () => {
  expect([' ky ', 'Kentucky', 'new york', 'NY'].map(toStateCode)).toEqual(['KY', 'KY', 'NY', 'NY'])
  expect(['', 'Ontario', 'ON', 'toString', 'Kentuck'].map(toStateCode)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ])
})

test('a form lists states in any order, each once', () => {
  const form = addDrugSchema.parse({ ingredient: ' gabapentin ', states: 'MI, kentucky;\nKY,, ' })
  expect(form).toMatchObject({ ingredient: 'gabapentin', states: ['KY', 'MI'] })
})

test.each([
  ['no state', { states: ' , ' }, 'Enter at least one state, such as KY, MI.'],
  [
    'another country',
    { states: 'KY, Ontario' },
    '“Ontario” isn’t a US state. Use postal codes, such as KY, MI.',
  ],
  ['no ingredient', { ingredient: '  ' }, 'Enter the ingredient, such as gabapentin.'],
  ['an ingredient too long', { ingredient: 'a'.repeat(101) }, 'Use at most 100 characters.'],
  ['markup', { ingredient: 'gaba<b>' }, 'Use letters, digits, spaces and hyphens.'],
])('a form with %s is rejected', (_, changes, message) => {
  const { error } = addDrugSchema.safeParse({ ingredient: 'gabapentin', states: 'KY', ...changes })
  expect(error?.issues.map((issue) => issue.message)).toContain(message)
})

test('the list stays sorted and has each drug once in a state, however it is written', () => {
  expect(withDrugs([], list)).toEqual([
    gabapentin('AL'),
    gabapentin('KY'),
    { ingredient: 'Tramadol', state: 'MI' },
  ])
  expect(withDrugs(list, [{ ingredient: 'GABAPENTIN', state: 'KY' }, gabapentin('WV')])).toEqual([
    gabapentin('AL'),
    gabapentin('KY'),
    gabapentin('WV'),
    { ingredient: 'Tramadol', state: 'MI' },
  ])
  expect(withoutDrug(list, { ingredient: 'Gabapentin', state: 'KY' })).toEqual([
    gabapentin('AL'),
    { ingredient: 'Tramadol', state: 'MI' },
  ])
  expect(withoutDrug(list, gabapentin('MI'))).toEqual(list)
  expect(maxStateScheduled).toBe(500)
})

test('an entry says how many products it concerns', () => {
  expect([0, 1, 1200].map((products) => describeListed('gabapentin', products))).toEqual([
    'No product in the catalog contains gabapentin. Check the spelling.',
    '1 product in the catalog contains gabapentin.',
    '1,200 products in the catalog contain gabapentin.',
  ])
})
