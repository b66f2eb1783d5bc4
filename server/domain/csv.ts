/** Tables as spreadsheets read and write them (RFC 4180). */

export type CsvValue = string | number | boolean | null

/** Marks a file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\uFEFF'

/**
 * Where a spreadsheet would run a formula (OWASP, "CSV Injection"): at the start of a text, and
 * after each character that a spreadsheet may split at. One that is set to semicolons or tabs
 * ignores our quotation marks, because they are not where its cells start, and drops some of the
 * text's own. The apostrophes are ours or were there before.
 */
const formula = /(^|[;\t\r\n])(?=['"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g
const escapedFormula = /(^|[;\t\r\n])'(?=['"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g
/** A tab or line break at the start, which spreadsheets drop. */
const leadingBreak = /^(?='*[\t\r\n])/
const escapedLeadingBreak = /^'(?='*[\t\r\n])/

/**
 * Text that no spreadsheet runs: a leading apostrophe, which spreadsheets hide, disarms formulas.
 * Text that already looks escaped gets one more, so that `unescapeFormula` restores every text.
 */
export const escapeFormula = (text: string): string => text.replace(formula, "$1'").replace(leadingBreak, "'")

/** The text that `escapeFormula` turned into this cell. */
export const unescapeFormula = (cell: string): string =>
  cell.replace(escapedLeadingBreak, '').replace(escapedFormula, '$1')

/** Numbers are not escaped: they keep their sign. */
function csvCell(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = escapeFormula(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One record with its line break. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(csvCell).join(',')}\r\n`
