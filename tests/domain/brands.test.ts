import { brandKey, brandLetter, brandLetters } from '#domain/catalog/brands.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test.each([
  ['APO-Simvastatin', 'APO-SIMVASTATIN'],
  ['Apo Simvastatin', 'APO-SIMVASTATIN'],
  ['Évista', 'EVISTA'],
  ['  Advil®  ', 'advil'],
])('%j and %j are one brand', (one, another) => {
  expect(brandKey(one)).toBe(brandKey(another))
})

test.each([
  ['Advil', 'Aspirin'],
  ['Vicodin ES', 'Vicodin HP'],
  ['Pravachol 10', 'Pravachol 20'],
  ['***', '+++'],
])('%j and %j are two brands', (one, another) => {
  expect(brandKey(one)).not.toBe(brandKey(another))
})

test.each([
  ['APO-Simvastatin', 'A'],
  ['élan', 'E'],
  ['(20 mmol/L) Potassium', 'other'],
  ['3TC', 'other'],
  ['***', 'other'],
  ['Ωmega', 'other'],
  ['ıbu', 'other'],
])('%j is listed under %s', (name, letter) => {
  expect(brandLetter(brandKey(name))).toBe(letter)
})

test('letters are in the order that the databases sort them', () => {
  expect(brandLetters).toHaveLength(27)
  expect(brandLetters.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(brandLetters)
})

test('any name has a well-formed key and a letter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const key = brandKey(name)
      expect(key.isWellFormed()).toBe(true)
      expect(key.length).toBeLessThanOrEqual(200)
      expect(brandLetters).toContain(brandLetter(key))
    }),
  )
})
