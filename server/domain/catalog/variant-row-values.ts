import { listIdentifiers, listNdc11Forms } from './identifiers.ts'
import { importFields, type ImportField, type ImportValue } from './csv-imports.ts'
import { isId } from '../ids.ts'
import { decimalFromCents } from '../money.ts'
import { fold } from '../text.ts'

/** The values of a line of a CSV import, and how they differ from those of a variant. */

/** The text values of a line by field. */
export type ParsedRow = Partial<Record<ImportField, string>>

export const fieldLabel = (field: ImportField): string => importFields[field]

export type ManufacturerIds = ReadonlyMap<string, string>

export const findManufacturerId = (text: string, manufacturerIds: ManufacturerIds): string | undefined =>
  manufacturerIds.get(isId(text) ? text : fold(text))

export const toFieldName = (field: ImportField): string =>
  field === 'manufacturer' ? 'manufacturerId' : field
const toImportField = (name: string): ImportField | null =>
  name === 'manufacturerId'
    ? 'manufacturer'
    : name === 'productId'
      ? 'product'
      : ((Object.keys(importFields) as ImportField[]).find((field) => field === name) ?? null)

/** The display name of a changed field. */
export const changedFieldLabel = (name: string): string => {
  const field = toImportField(name)
  return field ? fieldLabel(field) : name
}

const toInteger = (text: string): number | string => (/^[+-]?\d{1,10}$/.test(text) ? Number(text) : text)
const isFlag = (name: string): boolean => name === 'inStock' || name === 'trackInventory'
/** Exports write yes and no. */
const toBoolean = (text: string): boolean | string =>
  /^(true|yes|y|1)$/i.test(text) ? true : /^(false|no|n|0)$/i.test(text) ? false : text

/** A line's values as the forms and /api write them. */
export function rowToWire(row: ParsedRow, manufacturerIds: ManufacturerIds): Record<string, ImportValue> {
  const wire: Record<string, ImportValue> = {}
  for (const [field, text] of Object.entries(row) as [ImportField, string][]) {
    if (field === 'id' || field === 'product' || field === 'lotNumber' || field === 'expiryDate') continue
    if (field === 'manufacturer') wire['manufacturerId'] = findManufacturerId(text, manufacturerIds) ?? null
    else if (field === 'packageSize' || field === 'stockQuantity') wire[field] = toInteger(text)
    else if (isFlag(field)) wire[field] = toBoolean(text)
    else if (field === 'dosageForm') wire[field] = text.toLowerCase()
    else wire[field] = text
  }
  return wire
}

export function wireOfParsed(result: Record<string, unknown>): Record<string, ImportValue> {
  const wire: Record<string, ImportValue> = {}
  for (const [name, value] of Object.entries(result)) {
    if (value === undefined || name === 'productId') continue
    wire[name] =
      (name === 'price' || name === 'acquisitionCost') && typeof value === 'number'
        ? decimalFromCents(value)
        : (value as ImportValue)
  }
  return wire
}

/** What an identifier is looked up by. */
export function codesOf(field: 'ndc' | 'din' | 'upc', text: string): string[] {
  const none = { ndc: null, din: null, upc: null }
  return listIdentifiers({ ...none, [field]: text }).map(({ kind, value }) => `${kind}:${value}`)
}

/** The codes of each package that may have this NDC: ten bare digits fit three. */
export const possibleNdcCodes = (ndc: string): string[] => listNdc11Forms(ndc).map((form) => `ndc-11:${form}`)

/** Identifiers are equal in any written form. */
export function isSame(field: string, before: ImportValue, after: ImportValue): boolean {
  if (before === after) return true
  if (typeof before !== 'string' || typeof after !== 'string') return false
  if (field === 'ndc' || field === 'din' || field === 'upc') {
    const possible = (text: string) => [
      ...codesOf(field, text),
      ...(field === 'ndc' ? possibleNdcCodes(text) : []),
    ]
    const codes = possible(before)
    return possible(after).some((code) => codes.includes(code))
  }
  return false
}

export function diffValues(
  before: Record<string, ImportValue>,
  after: Record<string, ImportValue>,
): Record<string, readonly [ImportValue, ImportValue]> {
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => {
      const beforeValue = before[name] ?? null
      return beforeValue === value ? [] : [[name, [beforeValue, value] as const]]
    }),
  )
}

/** One message for all fields with the same problem. */
export const mergeMessages = (issues: readonly { path: PropertyKey[]; message: string }[]): string[] => {
  const first = new Map<string, string>()
  for (const { path, message } of issues) {
    const field = String(path[0] ?? '')
    const name = changedFieldLabel(field)
    if (!first.has(name)) first.set(name, isFlag(field) ? 'This must be yes or no.' : message)
  }
  const fields = new Map<string, string[]>()
  for (const [name, message] of first) fields.set(message, [...(fields.get(message) ?? []), name])
  return [...fields].map(([message, names]) => `${names.join(', ')}: ${message}`)
}
