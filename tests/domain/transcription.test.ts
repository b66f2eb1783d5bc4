import { checkDestination, findDestinationRules, toCountryCode } from '#domain/dispensing/destination.ts'
import { npiProblem } from '#domain/dispensing/npi.ts'
import { isSameName } from '#domain/dispensing/transcription-rules.ts'
import { parseInput } from '#domain/parse-input.ts'
import { importRules } from '#server/reviews/import-rules.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'

test('an NPI has ten digits, begins with 1 or 2, and has the right check digit', () => {
  // CMS and public examples of the calculation.
  for (const npi of ['1234567893', '1993999998', '1558598797']) expect(npiProblem(npi), npi).toBeNull()
  for (const npi of ['1234567890', '1993999989', '3993999998', '123456789', '12345678930', '１234567893', ''])
    expect(npiProblem(npi), npi).not.toBeNull()
  // Each wrong last digit, and each swap of unlike neighbors other than 0 and 9, is found.
  for (let digit = 0; digit < 10; digit++)
    expect(npiProblem(`123456789${digit}`) === null, String(digit)).toBe(digit === 3)
})

test('a name on a file is the account’s with the same words in any order', () => {
  expect(isSameName('O’HARA, Zoë Anne', 'Zoë O’Hara')).toBe(true)
  expect(isSameName('Zoe O Hara', 'Zoë O’Hara')).toBe(true)
  expect(isSameName('Zoe Hart', 'Zoë O’Hara')).toBe(false)
  expect(isSameName('', 'Account')).toBe(false)
})

test('countries are known by name, short form and code', () => {
  for (const text of ['United States', 'USA', 'u.s.a.', 'us', 'United States of America'])
    expect(toCountryCode(text), text).toBe('US')
  expect(toCountryCode('Great Britain')).toBe('GB')
  expect(toCountryCode('Côte d’Ivoire')).toBe('CI')
  expect(toCountryCode('Atlantis')).toBeNull()
})

test('a destination is served by the product’s pharmacy, and otherwise by any', () => {
  const pharmacies = [
    { id: 'us', name: 'US', country: 'United States', shipsTo: ['USA', 'Japan'] },
    { id: 'ca', name: 'CA', country: 'Canada', shipsTo: ['Canada', 'United States'] },
  ]
  expect(checkDestination('US', ['us'], pharmacies)).toEqual({
    isServed: true,
    isDomestic: true,
    pharmacies: [],
  })
  expect(checkDestination('US', ['ca'], pharmacies)).toEqual({
    isServed: true,
    isDomestic: false,
    pharmacies: [],
  })
  expect(checkDestination('Canada', ['us'], pharmacies)).toEqual({
    isServed: false,
    isDomestic: false,
    pharmacies: ['US'],
  })
  expect(checkDestination('Canada', [null], pharmacies)).toMatchObject({ isServed: true, isDomestic: true })
  expect(checkDestination('Japan', ['us', 'ca'], pharmacies)).toMatchObject({
    isServed: false,
    pharmacies: ['CA'],
  })
  expect(checkDestination('US', [null], [])).toMatchObject({ isServed: false })
})

test('the rules of a destination are those for medicines that are not controlled', () => {
  const idsOf = (country: string, isDomestic = false) =>
    findDestinationRules(importRules, country, { isDomestic }).map(({ id }) => id)
  expect(idsOf('Japan')).toEqual(['jp-import-rx'])
  expect(idsOf('Australia')).toEqual(['au-import-order', 'au-import-year'])
  expect(idsOf('USA', true)).toEqual([])
  expect(idsOf('France')).toEqual([])
  expect(new Set(importRules.map(({ id }) => id)).size).toBe(20)
})

test('errors of nested fields are named as forms name them', () => {
  const schema = z.object({ items: z.array(z.object({ units: z.number('Enter a number.') })) })
  const parse = () => parseInput(schema, { items: [{ units: 1 }, { units: 'x' }] })
  expect(parse).toThrow(expect.objectContaining({ fields: { 'items[1].units': 'Enter a number.' } }))
})
