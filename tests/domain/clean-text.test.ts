import { cleanLine, cleanLines, findNulField, isBlank } from '#domain/clean-text.ts'
import { expect, test } from 'vitest'

test.each([
  ['A\u202E21\u202C', 'A21'],
  ['\u2067 A1 \u2069', 'A1'],
  ['\u202A\u202B\u202D\u2066\u2068A', 'A'],
  ['A\tB\r\nC', 'A B C'],
  // A right-to-left name, the marks and joiners that names use, and an emoji.
  ['דן\u200F', 'דן\u200F'],
  ['می\u200Cخواهم', 'می\u200Cخواهم'],
  ['Kit 👩🏽‍⚕️', 'Kit 👩🏽‍⚕️'],
])('the line %j is stored as %j', (typed, stored) => {
  expect(cleanLine(typed)).toBe(stored)
})

test('a line of controls alone is blank, and texts of several lines keep theirs', () => {
  expect([isBlank('\u202E\u2066'), cleanLine('\u202E\u2066')]).toEqual([true, ''])
  expect(cleanLines('a\u202Eb')).toBe('a\u202Eb')
})

test.each([
  [{ name: 'a\0' }, 'name'],
  [{ items: [{ id: 'x' }, { id: '\0' }] }, 'items.1.id'],
  [{ 'na\0me': 1 }, 'na␀me'],
  ['\0', ''],
  [{ name: '\\u0000', price: 1, isOn: null }, null],
  [undefined, null],
])('the field with a NUL character in %j is %j', (value, field) => {
  expect(findNulField(value)).toBe(field)
})

test('a NUL character is found at any depth, and its path stays short', () => {
  const depth = 200_000
  const value: unknown = JSON.parse(`${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`)
  expect(findNulField(value)).toBe('0.0.0.0')
})
