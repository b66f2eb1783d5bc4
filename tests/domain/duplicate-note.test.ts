import {
  duplicateErrors,
  duplicateField,
  duplicatesOf,
  isCoveredByNote,
} from '#domain/dispensing/duplicate-note.ts'
import { expect, test } from 'vitest'

const note = { note: 'A copy for the insurer', by: 'a pharmacist', at: '2026-01-05T12:00:00.000Z' }
const copy = { prescriptionId: 'b', uploadedAt: '2026-01-05T11:00:00.000Z' }

test.each([
  ['covers one that it names', { ...note, prescriptionIds: ['a', 'b'] }, copy, true],
  ['doesn’t cover one that it doesn’t name', { ...note, prescriptionIds: ['a'] }, copy, false],
  ['from before notes named any covers one uploaded by then', note, copy, true],
  [
    'from before notes named any doesn’t cover one uploaded later',
    note,
    { ...copy, uploadedAt: '2026-01-05T12:00:01.000Z' },
    false,
  ],
  ['that doesn’t exist covers nothing', null, copy, false],
])('a note on duplicates %s', (_what, decision, duplicate, isCovered) => {
  expect(isCoveredByNote(decision, duplicate)).toBe(isCovered)
})

test('an error names its duplicate', () => {
  expect(duplicatesOf({ [duplicateField('a')]: 'Rx 000001 has the same file.', duplicateNote: '' })).toEqual([
    'a',
  ])
})

test('errors about duplicates are separate from errors of other fields', () => {
  const errors = {
    [duplicateField('a')]: 'Same file.',
    [duplicateField('b')]: 'Same items.',
    writtenOn: 'No.',
  }
  expect(duplicateErrors(errors)).toEqual({ 'duplicate-a': 'Same file.', 'duplicate-b': 'Same items.' })
  expect(duplicatesOf(errors)).toEqual(['a', 'b'])
  expect(duplicateErrors({ writtenOn: 'No.', 'not-duplicate-a': 'x' })).toEqual({})
})
