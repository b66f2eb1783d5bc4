import { addressLines, formatAddress } from '#domain/accounts/addresses.ts'
import { expect, test } from 'vitest'

const home = {
  streetAddress: '12 Elm Street, Unit 4',
  city: 'Springfield',
  stateProvince: 'IL',
  zipCode: '62704',
  country: 'United States',
}

test('a label has street, city with state and ZIP code, and country, from parts or text', () => {
  const lines = ['12 Elm Street, Unit 4', 'Springfield, IL 62704', 'United States']
  expect(addressLines(formatAddress(home), home)).toEqual(lines)
  expect(addressLines(formatAddress(home), null)).toEqual(lines)
})

test.each([
  ['5 Karl Johans gate, Oslo, 0154, Norway', ['5 Karl Johans gate', 'Oslo, 0154', 'Norway']],
  [
    '10 Downing Street, London, Greater London SW1A 2AA, UK',
    ['10 Downing Street', 'London, Greater London SW1A 2AA', 'UK'],
  ],
  ['1 Strand Road, Singapore, Singapore', ['1 Strand Road', 'Singapore', 'Singapore']],
  ['Poste restante, Malta', ['Poste restante', 'Malta']],
])('%s', (text, lines) => {
  expect(addressLines(text, null)).toEqual(lines)
})
