import { noteAuthor } from '#domain/dispensing/note-author.ts'
import { expect, test } from 'vitest'

test('a note names its author once: the text about an alert has the name and date already', () => {
  const note = { by: 'Jonas Weber', at: '2026-11-30T10:00:00.000Z' }
  expect(noteAuthor({ kind: 'early', ...note })).toBe('(Jonas Weber, Nov 30, 2026)')
  expect(noteAuthor({ kind: 'alert', ...note })).toBe('')
})
