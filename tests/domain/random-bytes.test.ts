import { randomBytes } from '#domain/random-bytes.ts'
import { expect, test } from 'vitest'

test('random bytes are never returned twice, and returned bytes never change', () => {
  // A repeated nonce would break the encryption. This draws enough bytes to refill the buffer
  // several times.
  const returned = Array.from({ length: 5000 }, (_, i) => randomBytes(i % 3 === 0 ? 64 : 12))
  const texts = () => returned.map((bytes) => Buffer.from(bytes.subarray(0, 12)).toString('hex'))
  const first = texts()
  expect(returned.every(({ length }, i) => length === (i % 3 === 0 ? 64 : 12))).toBe(true)
  expect(new Set(first).size).toBe(returned.length)
  for (let i = 0; i < 1000; i++) randomBytes(12)
  expect(texts()).toEqual(first)
})
