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
])('%j is escaped as %j', (text, written) => {
  expect(escapeFormula(text)).toBe(written)
})

test('unescaping restores any escaped text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", '=', '-', '@', '\t', 'a', ' ') }), (text) => {
      expect(unescapeFormula(escapeFormula(text))).toBe(text)
    }),
  )
})

test('a record quotes special characters, keeps numbers and leaves null empty', () => {
  expect(csvLine(['a "b", c', 'two\nlines', -5, true, null, '=x'])).toBe(
    '"a ""b"", c","two\nlines",-5,true,,\'=x\r\n',
  )
})
