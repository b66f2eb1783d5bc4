import { increasingIdsOfTime, isId, newId, timeOfId } from '#domain/ids.ts'
import { expect, test } from 'vitest'

test('an id is a UUIDv7 that starts with its timestamp', () => {
  const id = newId(Date.now() + 10_000)
  expect(isId(id)).toBe(true)
  expect(id[14]).toBe('7')
  const ms = Date.parse('2100-01-01T00:00:00Z')
  expect(Number.parseInt(newId(ms).replaceAll('-', '').slice(0, 12), 16)).toBe(ms)
})

test('ids are unique and ascending, even within a millisecond or when the clock goes back', () => {
  const now = Date.parse('2100-01-02T00:00:00Z')
  const ids = Array.from({ length: 10_000 }, (_, i) => newId(now - (i % 2)))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every(isId)).toBe(true)
})

test('increasing ids of a millisecond are unique, ascending and of that millisecond', () => {
  const ms = Date.parse('2100-01-03T00:00:00Z')
  const next = increasingIdsOfTime(ms)
  const ids = Array.from({ length: 70_000 }, next)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every((id) => isId(id) && timeOfId(id) === ms)).toBe(true)
})

test.each([
  '',
  'undefined',
  '../etc/passwd',
  '123e4567-e89b-42d3-a456-426614174000',
  '0190A6F2-1B2C-7D3E-8F4A-5B6C7D8E9F0A',
  '0190a6f2-1b2c-7d3e-8f4a-5b6c7d8e9f0a\n',
  ' 0190a6f2-1b2c-7d3e-8f4a-5b6c7d8e9f0a',
  '0190a6f21b2c7d3e8f4a5b6c7d8e9f0a',
  "' or 1=1 --",
])('%j is not an id', (text) => {
  expect(isId(text)).toBe(false)
})
