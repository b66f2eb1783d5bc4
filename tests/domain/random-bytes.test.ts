import { randomBytes } from '#domain/random-bytes.ts'
import { expect, test } from 'vitest'

test('what was given is given once, however often the bytes are asked for anew, and stays as it was given', () => {
  // Of a nonce that came twice the cipher would tell what it sealed: enough for several rounds of what is asked for at once.
  const given = Array.from({ length: 5000 }, (_, i) => randomBytes(i % 3 === 0 ? 64 : 12))
  const texts = () => given.map((bytes) => Buffer.from(bytes.subarray(0, 12)).toString('hex'))
  const first = texts()
  expect(given.every(({ length }, i) => length === (i % 3 === 0 ? 64 : 12))).toBe(true)
  expect(new Set(first).size).toBe(given.length)
  for (let i = 0; i < 1000; i++) randomBytes(12)
  expect(texts()).toEqual(first)
})
