import { z } from 'zod'
import { readLots } from './recalled-lots.ts'

/**
 * Reads openFDA's own JSON: https://open.fda.gov/apis/drug/enforcement/searchable-fields/ and
 * https://open.fda.gov/apis/drug/drugshortages/searchable-fields/. Each entry becomes the columns
 * of our files, which are then checked like a line of a file. Reports write days as 20230726,
 * shortages as 07/26/2023. Not every report prints an NDC, and half have an `openfda` section.
 */

/**
 * An entry as columns of a list's file, or why it is left out: it names no package and so can match
 * none, or the FDA has not classified it yet. Reports from before June 2012 have no status.
 */
export type OpenFdaEntry = Readonly<Record<string, string>> | 'no-ndc' | 'unclassified'

const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() ?? '')
const list = z
  .union([z.string(), z.array(z.string())])
  .nullish()
  .transform((value) => (typeof value === 'string' ? [value] : (value ?? [])))
const noCodes = { package_ndc: [], product_ndc: [], substance_name: [] }
const codes = z
  .object({ package_ndc: list, product_ndc: list, substance_name: list })
  .nullish()
  .transform((value) => value ?? noCodes)

const reportSchema = z.object({
  recall_number: text,
  event_id: text,
  product_type: text,
  classification: text,
  status: text,
  recall_initiation_date: text,
  report_date: text,
  termination_date: text,
  recalling_firm: text,
  reason_for_recall: text,
  product_description: text,
  code_info: text,
  more_code_info: text,
  distribution_pattern: text,
  package_ndc: list,
  product_ndc: list,
  openfda: codes,
})

const shortageSchema = z.object({
  package_ndc: text,
  generic_name: text,
  status: text,
  availability: text,
  shortage_reason: text,
  dosage_form: text,
  presentation: text,
  company_name: text,
  initial_posting_date: text,
  update_date: text,
  discontinued_date: text,
  related_info: text,
  therapeutic_category: list,
  openfda: codes,
})

/** What a JSON file of openFDA has; null for anything else. */
export const fileSchema = z.object({ results: z.array(z.record(z.string(), z.unknown())) })

/** How openFDA names the columns that a problem may name. */
export const openFdaNames: Readonly<Record<string, string>> = {
  class: 'classification',
  initiated: 'recall_initiation_date',
  reported: 'report_date',
  terminated: 'termination_date',
  firm: 'recalling_firm',
  product: 'product_description',
  lots: 'code_info',
  reason: 'shortage_reason',
  company: 'company_name',
  first_posted: 'initial_posting_date',
  updated: 'update_date',
  discontinued: 'discontinued_date',
}

export type OpenFdaList = 'recalls' | 'shortages'

/** Which list the entries are of, by the first one. */
export function detectList([first]: readonly Record<string, unknown>[]): OpenFdaList | null {
  if (first === undefined) return null
  if ('recall_number' in first) return 'recalls'
  return 'generic_name' in first && 'presentation' in first ? 'shortages' : null
}

/** A day as YYYY-MM-DD. Anything else stays as it is, for the check that follows to refuse. */
function toDay(value: string): string {
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(value)
  if (compact) return compact.slice(1).join('-')
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value)
  if (!american) return value
  const [, month = '', day = '', year = ''] = american
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** Control characters of older encodings would break a line apart. */
const flat = (value: string): string => value.replace(/[\p{Cc}\s]+/gu, ' ').trim()

/** Cut to what a column holds. */
const cut = (value: string, max: number): string => {
  const line = flat(value)
  return line.length > max ? `${line.slice(0, max - 3)}...` : line
}

const packagePattern = /(?<![\dA-Z-])\d{4,5}-\d{3,4}-\d{1,2}(?![\dA-Z-])/gi
const productPattern = /(?<![\dA-Z-])\d{4,5}-\d{3,4}(?![\dA-Z-])/gi

const find = (pattern: RegExp, value: string): string[] => value.match(pattern) ?? []
const join = (values: readonly string[]): string => [...new Set(values)].join(';')

/** The reason why an entry is none of ours. */
export class EntryProblem extends Error {}

const problemOf = (error: z.ZodError): EntryProblem => {
  const [issue] = error.issues
  return new EntryProblem(`${String(issue?.path[0] ?? 'it')}: ${issue?.message ?? 'is not valid'}`)
}

/** Throws EntryProblem. */
export function readReport(entry: Record<string, unknown>): OpenFdaEntry {
  const parsed = reportSchema.safeParse(entry)
  if (!parsed.success) throw problemOf(parsed.error)
  const report = parsed.data
  if (report.product_type !== '' && !/^drugs?$/i.test(report.product_type))
    throw new EntryProblem(`product_type: "${cut(report.product_type, 40)}" is not "Drugs"`)
  if (report.status === '' || /^not yet/i.test(report.classification)) return 'unclassified'
  const printed = `${report.product_description} ${report.code_info} ${report.more_code_info}`
  const packages = [...report.package_ndc, ...find(packagePattern, printed)]
  const products = [...report.product_ndc, ...find(productPattern, printed)]
  // The section lists every package of the medicine, so it counts only where none is printed.
  const isPrinted = packages.length + products.length > 0
  const package_ndcs = join(isPrinted ? packages : report.openfda.package_ndc)
  const product_ndcs = join(isPrinted ? products : report.openfda.product_ndc)
  if (package_ndcs === '' && product_ndcs === '') return 'no-ndc'
  const { lots, isForAllLots, note } = readLots(flat(`${report.code_info} ${report.more_code_info}`))
  return {
    recall_number: report.recall_number,
    event_id: report.event_id || '-',
    class: report.classification.replace(/^class\s+/i, '').toUpperCase(),
    status: report.status,
    initiated: toDay(report.recall_initiation_date || report.report_date),
    reported: toDay(report.report_date),
    terminated: toDay(report.termination_date),
    firm: cut(report.recalling_firm, 300),
    reason: cut(report.reason_for_recall || 'Not stated', 2000),
    product: cut(report.product_description, 4000),
    package_ndcs,
    product_ndcs,
    lots: lots.join(';'),
    all_lots: isForAllLots ? 'Y' : '',
    code_info_if_no_lot_parsed: cut(note, 4000),
    distribution: cut(report.distribution_pattern, 2000),
    ingredients: '',
  }
}

/** Throws EntryProblem. */
export function readShortage(entry: Record<string, unknown>): OpenFdaEntry {
  const parsed = shortageSchema.safeParse(entry)
  if (!parsed.success) throw problemOf(parsed.error)
  const shortage = parsed.data
  const [ndc = ''] = shortage.package_ndc === '' ? shortage.openfda.package_ndc : [shortage.package_ndc]
  if (ndc === '') return 'no-ndc'
  return {
    package_ndc: ndc,
    generic_name: cut(shortage.generic_name, 500),
    // The reader replaces these by the keys of the list of names.
    ingredients: substancesOf(shortage).join(' + '),
    status: shortage.status,
    availability: cut(shortage.availability, 200),
    reason: cut(shortage.shortage_reason, 500),
    dosage_form: cut(shortage.dosage_form, 200),
    presentation: cut(shortage.presentation || shortage.generic_name, 2000),
    company: cut(shortage.company_name, 300),
    first_posted: toDay(shortage.initial_posting_date),
    updated: toDay(shortage.update_date),
    discontinued: toDay(shortage.discontinued_date),
    note: cut(shortage.related_info, 2000),
    therapeutic_category: cut(shortage.therapeutic_category.join('; ') || 'Not stated', 1000),
  }
}

/** The substances; without an `openfda` section, the generic name without its dosage form. */
function substancesOf({
  generic_name,
  dosage_form,
  openfda,
}: Pick<z.output<typeof shortageSchema>, 'generic_name' | 'dosage_form' | 'openfda'>): string[] {
  if (openfda.substance_name.length > 0)
    return [...new Set(openfda.substance_name.map((name) => flat(name).toUpperCase()))].toSorted()
  const name = flat(generic_name)
  const form = flat(dosage_form)
  const isEnding = form !== '' && name.toLowerCase().endsWith(` ${form.toLowerCase()}`)
  return [(isEnding ? name.slice(0, -form.length) : name).trim().toUpperCase()]
}
