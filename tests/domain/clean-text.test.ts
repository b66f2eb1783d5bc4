import { findNulField } from '#domain/clean-text.ts'
import { expect, test } from 'vitest'

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
