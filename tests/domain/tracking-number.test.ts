import { toTrackingNumber } from '#domain/orders/tracking-number.ts'
import { expect, test } from 'vitest'

test.for([
  ['1Z 999 aa1 0123456784', '1Z999AA10123456784'],
  ['9400 1118 9956 0000', '9400111899560000'],
  ['zoë quill', null],
  ['maria', null],
  ['zoe7@mail.example', null],
  ['12345', null],
  ['1'.repeat(41), null],
] as const)('a search for %j looks up the tracking number %j', ([typed, number]) => {
  expect(toTrackingNumber(typed)).toBe(number)
})
