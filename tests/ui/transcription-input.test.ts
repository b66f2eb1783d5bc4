import { toTranscriptionInput } from '#app/routes/admin/prescriptions/transcription-fields.ts'
import { itemInputSchema } from '#domain/dispensing/case-inputs.ts'
import { expect, test } from 'vitest'

test('a save sends the version of each stored item to a server of the release before', () => {
  const values = { units: '30', daysSupply: '30', refills: '1', directions: '1 tab po daily' }
  const fieldsOf = (at: number, item: Record<string, string>) =>
    Object.fromEntries(Object.entries(item).map(([name, value]) => [`items.${at}.${name}`, value]))
  const { items } = toTranscriptionInput({
    ...fieldsOf(0, { ...values, id: 'stored', version: '2' }),
    ...fieldsOf(1, { ...values, id: '' }),
  })
  expect(items).toMatchObject([
    { id: 'stored', version: 2 },
    { id: null, version: null },
  ])
  // This server ignores it.
  for (const item of items) expect(itemInputSchema.parse(item)).not.toHaveProperty('version')
})
