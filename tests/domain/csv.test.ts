import { csvLine, escapeFormula, unescapeFormula } from '#domain/csv.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['＝1+1', "'＝1+1"],
  ["'=1+1", "''=1+1"],
  ['5-fluorouracil', '5-fluorouracil'],
  ["'n drops", "'n drops"],
  ['', ''],
])('%j leaves as %j', (text, written) => {
  expect(escapeFormula(text)).toBe(written)
})

test('what was made harmless is read back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", '=', '-', '@', '\t', 'a', ' ') }), (text) => {
      expect(unescapeFormula(escapeFormula(text))).toBe(text)
    }),
  )
})

test('a record quotes what would break it, keeps numbers, and leaves out what is not there', () => {
  expect(csvLine(['a "b", c', 'two\nlines', -5, true, null, '=x'])).toBe(
    '"a ""b"", c","two\nlines",-5,true,,\'=x\r\n',
  )
})
