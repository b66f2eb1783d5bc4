import { duplicateField, duplicatesOf, isCoveredByNote } from '#domain/dispensing/duplicate-note.ts'
import { expect, test } from 'vitest'

const note = { note: 'A copy for the insurer', by: 'a pharmacist', at: '2026-01-05T12:00:00.000Z' }
const copy = { prescriptionId: 'b', uploadedAt: '2026-01-05T11:00:00.000Z' }

test.each([
  ['one that it names', { ...note, prescriptionIds: ['a', 'b'] }, copy, true],
  ['none that it does not name', { ...note, prescriptionIds: ['a'] }, copy, false],
  ['before notes named any, one uploaded by then', note, copy, true],
  [
    'before notes named any, none uploaded later',
    note,
    { ...copy, uploadedAt: '2026-01-05T12:00:01.000Z' },
    false,
  ],
  ['nothing without a note', null, copy, false],
])('a note on duplicates covers %s', (_what, decision, duplicate, isCovered) => {
  expect(isCoveredByNote(decision, duplicate)).toBe(isCovered)
})

test('an error names its duplicate', () => {
  expect(duplicatesOf({ [duplicateField('a')]: 'Rx 000001 has the same file.', duplicateNote: '' })).toEqual([
    'a',
  ])
})
