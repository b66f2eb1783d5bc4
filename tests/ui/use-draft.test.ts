import { keepDraft, readDraft } from '#app/routes/checkout/use-draft.ts'
import { expect, test } from 'vitest'

const view = { userId: 'ana', choicesKey: '1', newestId: 'first', addedId: null }
const values = { city: 'Portland', patientId: 'leo', prescriptionId: 'first' }

test.each([
  ['the same checkout has what was entered', {}, values],
  [
    'a prescription uploaded since is selected',
    { newestId: 'second' },
    { ...values, prescriptionId: 'second' },
  ],
  ['a person who was just added is selected', { addedId: 'mia' }, { ...values, patientId: 'mia' }],
  ['after an order, a payment or ordering again, the server knows better', { choicesKey: '2' }, null],
  ['another account has none', { userId: 'mia' }, null],
])('a draft: %s', (_name, changed, expected) => {
  keepDraft(view, Object.entries({ ...values, cardNumber: '4242' }))
  expect(readDraft({ ...view, ...changed })).toEqual(expected)
})
