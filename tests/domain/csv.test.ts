import { csvLine, escapeFormula, unescapeFormula } from '#domain/csv.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['x;=1+1', "x;'=1+1"],
  ['x;@SUM(A1);y\t-1', "x;'@SUM(A1);y\t'-1"],
  ['two\r\n=lines', "two\r\n'=lines"],
  ["x;'=1", "x;''=1"],
  ['x;"=1;', 'x;\'"=1;'],
  ['x; y\n\nz', 'x; y\n\nz'],
  ['＝1+1', "'＝1+1"],
  ["'=1+1", "''=1+1"],
  ['5-fluorouracil', '5-fluorouracil'],
  ["'n drops", "'n drops"],
  ['', ''],
])('%j is escaped as %j', (text, written) => {
  expect(escapeFormula(text)).toBe(written)
})

const hostileText = fc.string({
  unit: fc.constantFrom("'", '=', '-', '@', ';', '\t', '\n', ',', '"', 'a', ' '),
})

test('unescaping restores any escaped text', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(unescapeFormula(escapeFormula(text))).toBe(text)
    }),
  )
})

/**
 * The cells of a file as a spreadsheet has them that splits at these characters: a quotation mark
 * counts only where a cell starts, and what follows the closing one is part of the cell.
 */
function splitAt(delimiters: string, file: string): string[] {
  const cells: string[] = []
  let cell = ''
  let state: 'start' | 'plain' | 'quoted' = 'start'
  for (let i = 0; i < file.length; i++) {
    const character = file.charAt(i)
    if (state === 'quoted') {
      if (character !== '"') cell += character
      else if (file[i + 1] === '"') cell += file.charAt(i++)
      else state = 'plain'
    } else if (state === 'start' && character === '"') state = 'quoted'
    else if (`${delimiters}\r\n`.includes(character)) {
      cells.push(cell)
      cell = ''
      state = 'start'
    } else {
      cell += character
      state = 'plain'
    }
  }
  return [...cells, cell]
}

test('whatever separator a spreadsheet splits at, no cell starts a formula', () => {
  const isHarmless = fc.property(fc.array(hostileText, { minLength: 1, maxLength: 3 }), (texts) => {
    const file = csvLine(['first', ...texts]) + csvLine(texts)
    const cells = [',', ';', '\t', ',;\t'].flatMap((delimiters) => splitAt(delimiters, file))
    return !cells.some((cell) => /^[=+\-@]/.test(cell))
  })
  expect(fc.check(isHarmless, { numRuns: 3000 }).counterexample).toBeNull()
})

test('a record quotes special characters, keeps numbers and leaves null empty', () => {
  expect(csvLine(['a "b", c', 'two\nlines', 'a;b', 'a\tb', -5, true, null, '=x'])).toBe(
    '"a ""b"", c","two\nlines","a;b","a\tb",-5,true,,\'=x\r\n',
  )
})
