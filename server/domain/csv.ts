/** Tables as spreadsheets read and write them (RFC 4180). */

export type CsvValue = string | number | boolean | null

/** Marks a file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\uFEFF'

/**
 * Text that a spreadsheet would run as a formula (OWASP, "CSV Injection"), with or without an
 * apostrophe.
 */
const formula = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

/**
 * Text that no spreadsheet runs: a leading apostrophe, which spreadsheets hide, disarms formulas.
 * Text that already looks escaped gets one more, so that `unescapeFormula` restores every text.
 */
export const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** The text that `escapeFormula` turned into this cell. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell

/** Numbers are not escaped: they keep their sign. */
function csvCell(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = escapeFormula(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One record with its line break. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(csvCell).join(',')}\r\n`
