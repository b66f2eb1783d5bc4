import { code128Bars, encodeCode128 } from '#domain/orders/code-128.ts'
import { expect, test } from 'vitest'

test('a text becomes its symbols with start, checksum and stop', () => {
  // The example of https://en.wikipedia.org/wiki/Code_128: "Wikipedia" in code set B has the check
  // symbol 88.
  expect(encodeCode128('Wikipedia')).toEqual([104, 55, 73, 75, 73, 80, 69, 68, 73, 65, 88, 106])
})

test('every symbol is eleven modules wide, the stop thirteen, and each starts and ends with a bar', () => {
  const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
  for (const character of printable) {
    const bars = code128Bars(character)
    expect(bars?.width, character).toBe(3 * 11 + 13)
    expect(bars?.bars[0]?.at).toBe(0)
    const last = bars?.bars.at(-1)
    expect((last?.at ?? 0) + (last?.width ?? 0)).toBe(bars?.width)
  }
  const drawn = printable.map((character) => JSON.stringify(code128Bars(character)))
  expect(new Set(drawn).size).toBe(printable.length)
})

test('text that Code 128 cannot encode has no bars', () => {
  for (const text of ['', 'ü', 'a\nb', 'x'.repeat(49)]) expect(code128Bars(text)).toBeNull()
})
