import { emptyProfile } from '#domain/accounts/accounts.ts'
import { addressPairs, isBillingSameAsShipping, type PersonalData } from '#domain/accounts/profile-fields.ts'
import { applyProfileChanges, profileChangesSchema, type ProfileChanges } from '#domain/accounts/profile.ts'
import { expect, test } from 'vitest'

const schema = profileChangesSchema(new Date('2026-03-02T12:00:00Z'))
const stored: PersonalData = {
  ...emptyProfile,
  firstName: 'Zoë',
  lastName: null,
  weight: 146.5,
  shippingStreet: 'old',
  billingZip: '04101',
}

test('changes apply only to the given fields; null clears a field', () => {
  expect(applyProfileChanges(stored, {}, '2026-03-02')).toEqual(stored)
  const cleared = { weight: null, allergies: 'Nuts', gender: 'other' } as const
  expect(applyProfileChanges(stored, cleared, '2026-03-02')).toEqual({
    ...stored,
    weight: null,
    allergies: 'Nuts',
    gender: 'other',
  })
})

test.each<[sent: { weight?: number | null; weightOn?: string | null }, weightOn: string | null]>([
  // The form sends the day of the weight that it shows.
  [{ weight: 146.5, weightOn: '2026-01-01' }, '2026-01-01'],
  [{ weight: 150, weightOn: '2026-01-01' }, '2026-03-02'],
  [{ weight: 150, weightOn: '2026-02-27' }, '2026-02-27'],
  [{ weight: 146.5, weightOn: '2026-02-27' }, '2026-02-27'],
  [{ weight: 150 }, '2026-03-02'],
  [{ weight: 150, weightOn: null }, '2026-03-02'],
  [{}, '2026-01-01'],
  [{ weight: null, weightOn: '2026-02-27' }, null],
])('a weight has the day on which it was taken: %j gives %j', (sent, weightOn) => {
  const dated = { ...stored, weightOn: '2026-01-01' }
  expect(applyProfileChanges(dated, sent, '2026-03-02').weightOn).toBe(weightOn)
})

test.each<[changes: ProfileChanges, street: string | null]>([
  [{ shippingStreet: 'short' }, 'short'],
  [{ shippingStreetAddress: 'long' }, 'long'],
  [{ shippingStreet: 'short', shippingStreetAddress: 'old' }, 'short'],
  [{ shippingStreet: 'old', shippingStreetAddress: 'long' }, 'long'],
  [{ shippingStreet: 'short', shippingStreetAddress: 'long' }, 'long'],
  [{ shippingStreet: null, shippingStreetAddress: 'old' }, null],
  [{ shippingStreet: 'old', shippingStreetAddress: null }, null],
  [{ shippingStreet: 'old', shippingStreetAddress: 'old' }, 'old'],
])(
  'when both names of a field are sent, the one that changes it wins, then the longer: %j gives %j',
  (changes, street) => {
    expect(applyProfileChanges(stored, changes, '2026-03-02').shippingStreet).toBe(street)
  },
)

test('an invalid value is reported under its field', () => {
  for (const changes of [
    { weight: 'abc' },
    { weight: '150' },
    { weight: -1 },
    { weight: 0 },
    { weight: 1500.1 },
    { weight: Number.POSITIVE_INFINITY },
    { dateOfBirth: '2026-03-03' },
    { dateOfBirth: '1899-12-31' },
    { dateOfBirth: '2023-02-29' },
    { dateOfBirth: '12/03/1984' },
    { dateOfBirth: 19840312 },
    { gender: 'Male' },
    { firstName: 'x'.repeat(101) },
    { lastName: ['O’Hara'] },
    { allergies: 'x'.repeat(5001) },
    { shippingZipCode: 4101 },
    { billingStateProvince: {} },
  ]) {
    const [field = ''] = Object.keys(changes)
    const result = schema.safeParse(changes)
    expect(
      result.error?.issues.map(({ path }) => path),
      field,
    ).toEqual([[field]])
  }
})

test('texts are trimmed, blank becomes null, and control characters are removed', () => {
  expect(
    schema.parse({
      firstName: '  Zoë ',
      lastName: ' \u2003 ',
      shippingCity: 'Port\r\nland\u0000',
      currentMedications: 'Lisinopril\r\nAspirin\u0007',
      allergies: '\ud800',
      dateOfBirth: '2026-03-02',
      weight: 0.1,
      homePhone: null,
    }),
  ).toEqual({
    firstName: 'Zoë',
    lastName: null,
    shippingCity: 'Port land',
    currentMedications: 'Lisinopril\nAspirin',
    allergies: '\ufffd',
    dateOfBirth: '2026-03-02',
    weight: 0.1,
    homePhone: null,
  })
})

test.each([
  ['+1 (555) 867-5309', true],
  ['22 05', true],
  ['٠١٢٣٤٥٦', true],
  ['555.0142 ext. 7, after 6 pm', true],
  ['', true],
  [null, true],
  ['abc', false],
  ['call me 123', false],
])('a phone number of “%s” is accepted: %s', (phone, isAccepted) => {
  for (const field of ['cellPhone', 'homePhone']) {
    expect(schema.safeParse({ [field]: phone }).success, field).toBe(isAccepted)
  }
})

test('billing is the shipping address unless the stored billing address differs', () => {
  expect(isBillingSameAsShipping(emptyProfile)).toBe(true)
  expect(isBillingSameAsShipping({ ...emptyProfile, shippingCity: 'Portland' })).toBe(true)
  expect(isBillingSameAsShipping({ ...emptyProfile, billingCity: 'Portland' })).toBe(false)
  for (const [shipping, billing] of addressPairs) {
    const same = { ...emptyProfile, shippingCity: 'a', billingCity: 'a', [shipping]: 'b', [billing]: 'b' }
    expect(isBillingSameAsShipping(same), shipping).toBe(true)
    expect(isBillingSameAsShipping({ ...same, [billing]: 'c' }), billing).toBe(false)
  }
})
