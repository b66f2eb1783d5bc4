import { brandLabel, packLabel, strengthLabel } from './catalog.ts'
import { unescapeFormula } from '../csv.ts'
import {
  importFields,
  keyFields,
  type ImportChanges,
  type ImportField,
  type ImportMapping,
  type ImportValue,
} from './csv-imports.ts'
import { identifiersOf, hasValidCheckDigit } from './identifiers.ts'
import { isId } from '../ids.ts'
import { decimalFromCents } from '../money.ts'
import { fold } from '../text.ts'
import { newVariantSchema, variantChangesSchema } from './variant-fields.ts'
import { variantToWire, type VariantValues } from './variant-wire.ts'
import { inStockWithoutStock, resolveInStock } from './variant-rules.ts'

/** What a line of an imported file would do: pure, and the same for each way of finding its variant. */

/** A variant as it stands, as far as a line may change it. */
export type CurrentVariant = VariantValues & { id: string; productId: string; productName: string }

/** What some lines name, as far as it is there. */
export type CatalogLookup = {
  variants: ReadonlyMap<string, CurrentVariant>
  /** The ids of the variants that carry a code ("ndc:0228-2899-96", "sku:A-1"). */
  carriers: ReadonlyMap<string, readonly string[]>
  /** By id and by folded name. */
  products: ReadonlyMap<string, readonly { id: string; name: string }[]>
  makers: ReadonlyMap<string, string>
}

export type Decision = {
  variantId: string | null
  productId: string | null
  name: string | null
} &
  /** A line for each thing that is wrong. */
  (
    | { outcome: 'refused'; problem: string }
    /** `keys`: what no other line may name. */
    | { outcome: 'unchanged'; keys: string[] }
    | { outcome: 'added' | 'changed'; changes: ImportChanges; keys: string[] }
  )

type Said = Partial<Record<ImportField, string>>

/** What a line says by its columns; an empty cell says nothing. */
export function readRow(cells: readonly string[], { columns }: Pick<ImportMapping, 'columns'>): Said {
  const said: Said = {}
  for (const [field, place] of Object.entries(columns) as [ImportField, number][]) {
    const text = unescapeFormula((cells[place] ?? '').trim())
    if (text !== '') said[field] = withZeros(field, text)
  }
  return said
}

/** Spreadsheets take codes for numbers and drop the zeros that they begin with. */
function withZeros(field: ImportField, text: string): string {
  if (field === 'din' && /^\d{5,7}$/.test(text)) return text.padStart(8, '0')
  const upc = text.padStart(12, '0')
  return field === 'upc' && /^\d{10,11}$/.test(text) && hasValidCheckDigit(upc) ? upc : text
}

/** The codes by which a line's variant is looked for, one list for each column that says any. */
export function codesOf(said: Said): { field: ImportField; codes: string[] }[] {
  const found: { field: ImportField; codes: string[] }[] = []
  for (const field of ['ndc', 'din', 'upc'] as const) {
    const text = said[field]
    if (text === undefined) continue
    const none = { ndc: null, din: null, upc: null }
    const codes = identifiersOf({ ...none, [field]: text }).map(({ kind, value }) => `${kind}:${value}`)
    found.push({ field, codes })
  }
  if (said.sku !== undefined) found.push({ field: 'sku', codes: [`sku:${said.sku}`] })
  return found
}

const label = (field: ImportField): string => importFields[field]
const sentence = (field: ImportField, words: string): string => `${label(field)}: ${words}`

/** The variant that a line names: its id, null when it names none that is there, or why it cannot be told. */
function findVariant(
  said: Said,
  { variants, carriers }: CatalogLookup,
): { id: string | null } | { problem: string } {
  if (said.id !== undefined) {
    return variants.has(said.id) ? { id: said.id } : { problem: sentence('id', 'There is no such variant.') }
  }
  const named = codesOf(said)
  if (named.length === 0) return { problem: 'Nothing names the variant: no id, NDC, DIN, UPC or SKU.' }
  const found = named.flatMap(({ field, codes }) => {
    const ids = new Set(codes.flatMap((code) => carriers.get(code) ?? []))
    return ids.size > 0 ? [{ field, ids }] : []
  })
  const [first, ...others] = found
  if (!first) return { id: null }
  const common = [...first.ids].filter((id) => others.every(({ ids }) => ids.has(id)))
  const [id] = common
  const fields = found.map(({ field }) => label(field)).join(' and ')
  if (id === undefined) return { problem: `${fields} belong to different variants.` }
  if (common.length > 1)
    return { problem: `${common.length} variants have this ${fields}. Give the variant’s id.` }
  return { id }
}

/** What a line would do. */
export function decideRow(
  said: Said,
  mapping: Pick<ImportMapping, 'adds' | 'clears' | 'columns'>,
  known: CatalogLookup,
): Decision {
  const found = findVariant(said, known)
  const nobody = { variantId: null, productId: null, name: null }
  if ('problem' in found) return { ...nobody, outcome: 'refused', problem: found.problem }
  const standing = found.id === null ? null : (known.variants.get(found.id) ?? null)
  if (standing) return decideChange(said, mapping, known, standing)
  if (mapping.adds) return decideNew(said, known)
  const names = keyFields.flatMap((field) =>
    said[field] === undefined ? [] : [`${label(field)} ${said[field]}`],
  )
  return { ...nobody, outcome: 'refused', problem: `No variant has ${names.join(' or ')}.` }
}

/** What may be emptied; the rest is required, or true or false. */
const emptiable = [
  'brandName',
  'manufacturer',
  'dosageForm',
  'acquisitionCost',
  'sku',
  'upc',
  'ndc',
  'din',
  'linkedVariantId',
] as const satisfies ImportField[]

function decideChange(
  said: Said,
  { clears, columns }: Pick<ImportMapping, 'clears' | 'columns'>,
  known: CatalogLookup,
  standing: CurrentVariant,
): Decision {
  const whose = {
    variantId: standing.id,
    productId: standing.productId,
    name: nameOf(standing.productName, standing),
  }
  const problems = [...problemsOfReferences(said, known, standing)]
  if (said.product !== undefined && !namesProduct(said.product, standing, known)) {
    problems.push(
      sentence(
        'product',
        `It is of ${standing.productName}; an import moves no variant to another medicine.`,
      ),
    )
  }
  const wire = wireOf(said, known)
  if (clears) {
    for (const field of emptiable) {
      if (columns[field] !== undefined && said[field] === undefined) wire[fieldNameOf(field)] = null
    }
  }
  const before = variantToWire(standing)
  for (const [field, value] of Object.entries(wire)) {
    if (isSame(field, before[field] ?? null, value)) delete wire[field]
  }
  const result = variantChangesSchema.safeParse(wire)
  if (!result.success) problems.push(...sentencesOf(result.error.issues))
  if (problems.length === 0 && result.success) {
    const after = { ...standing, ...definedOnly(result.data) }
    if (resolveInStock(standing, after, result.data.inStock) === null)
      problems.push(sentence('inStock', inStockWithoutStock))
  }
  if (problems.length > 0 || !result.success)
    return { ...whose, outcome: 'refused', problem: problems.join('\n') }
  const changes = changesOf(before, wireOfParsed(result.data))
  const keys = [`id:${standing.id}`]
  return Object.keys(changes).length === 0
    ? { ...whose, outcome: 'unchanged', keys }
    : { ...whose, outcome: 'changed', changes, keys }
}

function decideNew(said: Said, known: CatalogLookup): Decision {
  const nobody = { variantId: null, productId: null, name: null }
  const products = said.product === undefined ? [] : productsNamed(said.product, known)
  const [product] = products
  const problems: string[] = []
  if (said.product === undefined) problems.push(sentence('product', 'Please select a product'))
  else if (!product) problems.push(sentence('product', 'There is no such product.'))
  else if (products.length > 1)
    problems.push(sentence('product', `${products.length} products have this name. Give the product’s id.`))
  const productId = product?.id ?? ''
  problems.push(...problemsOfReferences(said, known, { id: null, productId }))
  const result = newVariantSchema.safeParse({ ...wireOf(said, known), productId: productId || '-' })
  if (!result.success) problems.push(...sentencesOf(result.error.issues))
  else if (resolveInStock(null, result.data, result.data.inStock) === null)
    problems.push(sentence('inStock', inStockWithoutStock))
  if (problems.length > 0 || !result.success || !product)
    return { ...nobody, outcome: 'refused', problem: problems.join('\n') }
  return {
    variantId: null,
    productId,
    name: nameOf(product.name, result.data),
    outcome: 'added',
    changes: changesOf({}, wireOfParsed(result.data)),
    keys: codesOf(said).flatMap(({ codes }) => codes),
  }
}

const nameOf = (
  product: string,
  variant: {
    brandName: string | null
    strength: string
    strengthUnit: string
    packageSize: number
    packageUnit: string
  },
): string =>
  [
    product,
    [brandLabel(variant), strengthLabel(variant), packLabel(variant)].filter(Boolean).join(', '),
  ].join(': ')

const productsNamed = (text: string, { products }: CatalogLookup): readonly { id: string; name: string }[] =>
  products.get(isId(text) ? text : fold(text)) ?? []

const namesProduct = (text: string, { productId }: { productId: string }, known: CatalogLookup): boolean =>
  productsNamed(text, known).some(({ id }) => id === productId)

function* problemsOfReferences(
  said: Said,
  { makers, variants }: CatalogLookup,
  { id, productId }: { id: string | null; productId: string },
): Generator<string> {
  if (said.manufacturer !== undefined && makerNamed(said.manufacturer, makers) === undefined)
    yield sentence('manufacturer', 'There is no such manufacturer.')
  const linked = said.linkedVariantId
  if (linked === undefined) return
  if (linked === id) yield sentence('linkedVariantId', 'A variant cannot be linked to itself.')
  else if (variants.get(linked)?.productId !== productId)
    yield sentence('linkedVariantId', 'It must be another variant of the same product.')
}

const makerNamed = (text: string, makers: CatalogLookup['makers']): string | undefined =>
  makers.get(isId(text) ? text : fold(text))

const fieldNameOf = (field: ImportField): string => (field === 'manufacturer' ? 'manufacturerId' : field)
const fieldOfName = (name: string): ImportField | null =>
  name === 'manufacturerId'
    ? 'manufacturer'
    : name === 'productId'
      ? 'product'
      : ((Object.keys(importFields) as ImportField[]).find((field) => field === name) ?? null)

/** How a changed field is called where it is shown. */
export const changedFieldLabel = (name: string): string => {
  const field = fieldOfName(name)
  return field ? label(field) : name
}

const whole = (text: string): number | string => (/^[+-]?\d{1,10}$/.test(text) ? Number(text) : text)
const flag = (text: string): boolean | string =>
  /^(true|yes|y|1)$/i.test(text) ? true : /^(false|no|n|0)$/i.test(text) ? false : text

/** What a line says, as the forms and /api say it. */
function wireOf(said: Said, { makers }: CatalogLookup): Record<string, ImportValue> {
  const wire: Record<string, ImportValue> = {}
  for (const [field, text] of Object.entries(said) as [ImportField, string][]) {
    if (field === 'id' || field === 'product') continue
    if (field === 'manufacturer') wire['manufacturerId'] = makerNamed(text, makers) ?? null
    else if (field === 'packageSize' || field === 'stockQuantity') wire[field] = whole(text)
    else if (field === 'inStock' || field === 'trackInventory') wire[field] = flag(text)
    else if (field === 'dosageForm') wire[field] = text.toLowerCase()
    else wire[field] = text
  }
  return wire
}

function wireOfParsed(result: Record<string, unknown>): Record<string, ImportValue> {
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

/** Codes are the same in each of their written forms. */
function isSame(field: string, before: ImportValue, after: ImportValue): boolean {
  if (before === after) return true
  if (typeof before !== 'string' || typeof after !== 'string') return false
  if (field === 'ndc' || field === 'din' || field === 'upc') {
    const none = { ndc: null, din: null, upc: null }
    const codes = identifiersOf({ ...none, [field]: before }).map(({ kind, value }) => `${kind}:${value}`)
    return identifiersOf({ ...none, [field]: after }).some(({ kind, value }) =>
      codes.includes(`${kind}:${value}`),
    )
  }
  return false
}

function changesOf(
  before: Record<string, ImportValue>,
  after: Record<string, ImportValue>,
): Record<string, readonly [ImportValue, ImportValue]> {
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => {
      const was = before[name] ?? null
      return was === value ? [] : [[name, [was, value] as const]]
    }),
  )
}

const definedOnly = <T extends object>(said: T): Partial<T> =>
  Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as Partial<T>

/** One sentence for all fields of which the same is wrong. */
const sentencesOf = (issues: readonly { path: PropertyKey[]; message: string }[]): string[] => {
  const first = new Map<string, string>()
  for (const { path, message } of issues) {
    const name = changedFieldLabel(String(path[0] ?? ''))
    if (!first.has(name)) first.set(name, message)
  }
  const fields = new Map<string, string[]>()
  for (const [name, message] of first) fields.set(message, [...(fields.get(message) ?? []), name])
  return [...fields].map(([message, names]) => `${names.join(', ')}: ${message}`)
}
