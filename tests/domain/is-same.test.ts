import { isSame } from '#domain/is-same.ts'
import { expect, test } from 'vitest'

const day = '2026-03-10'

test.each<[string, unknown, unknown]>([
  ['texts', 'a', 'a'],
  ['null', null, null],
  [
    'objects whose keys have another order',
    { a: 1, b: { c: [1], d: null } },
    { b: { d: null, c: [1] }, a: 1 },
  ],
  ['an undefined field and a missing one', { a: 1, b: undefined }, { a: 1 }],
  ['times', { at: new Date(day) }, { at: new Date(day) }],
  ['empty lists', [], []],
  ['objects with a length', { length: { cm: 1 } }, { length: { cm: 1 } }],
])('%s are the same', (_, one, other) => {
  expect([isSame(one, other), isSame(other, one)]).toEqual([true, true])
})

test.each<[string, unknown, unknown]>([
  ['a number and its text', 1, '1'],
  ['null and a missing field', { a: null }, {}],
  ['null and an empty object', null, {}],
  ['lists in another order', [1, 2], [2, 1]],
  ['a list and a longer one', [1], [1, undefined]],
  ['a list and an object', [], {}],
  ['a list and an object with its fields', ['a'], { 0: 'a', length: 1 }],
  ['an object and one with another field', { a: 1 }, { a: 1, b: 2 }],
  ['times of two days', new Date(day), new Date('2026-03-11')],
  ['a time and its text', new Date(day), new Date(day).toISOString()],
  ['a time and an empty object', new Date(day), {}],
])('%s differ', (_, one, other) => {
  expect([isSame(one, other), isSame(other, one)]).toEqual([false, false])
})
