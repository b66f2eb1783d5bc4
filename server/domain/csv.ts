/** Tables as spreadsheets read and write them (RFC 4180). */

export type CsvValue = string | number | boolean | null

/** Tells a spreadsheet that a file is UTF-8. */
export const byteOrderMark = '\uFEFF'

/** What a spreadsheet takes for a formula and runs (OWASP, "CSV Injection"); an apostrophe before it may stand there already. */
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/**
 * A text that no spreadsheet runs: what begins like a formula gets an apostrophe, which a spreadsheet does not show. A text that looks
 * so already gets one more, so that none is lost on the way back.
 */
export const harmless = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** What was meant by a cell: the text that `harmless` wrote as it. */
export const meant = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell

/** Numbers are none of our texts and stay as they are, with their sign. */
function csvCell(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = harmless(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A record with its line break. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(csvCell).join(',')}\r\n`
