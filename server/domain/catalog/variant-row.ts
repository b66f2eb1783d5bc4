import { selectProduct } from './catalog-messages.ts'
import { brandLabel, packLabel, strengthLabel } from './catalog.ts'
import { unescapeFormula } from '../csv.ts'
import { keyFields, type ImportChanges, type ImportField, type ImportMapping } from './csv-imports.ts'
import { fieldMessage, findRowVariant, lookupCodes, type VariantLookup } from './find-row-variant.ts'
import { hasValidCheckDigit } from './identifiers.ts'
import { isId } from '../ids.ts'
import { findImportWarning, findNewVariantWarning } from './import-warnings.ts'
import { decideLotCount, findLineLot, type CurrentLot } from './import-lots.ts'
import { fold } from '../text.ts'
import { newVariantSchema, variantChangesSchema } from './variant-fields.ts'
import { variantToWire } from './variant-wire.ts'
import {
  changedFieldLabel,
  diffValues,
  fieldLabel,
  findManufacturerId,
  isSame,
  mergeMessages,
  rowToWire,
  toFieldName,
  wireOfParsed,
  type ManufacturerIds,
  type ParsedRow,
} from './variant-row-values.ts'
import {
  applyVariantChanges,
  inStockWithoutStock,
  newVariantValues,
  variantReferenceErrors,
  type EditableVariant,
} from './variant-rules.ts'

/**
 * What a line of a CSV import would do. The same rules apply however the line identifies its
 * variant.
 */

/** The current values of a variant that a line may change. */
export type CurrentVariant = EditableVariant & { productName: string }

/** What the catalog knows of the variants, products and manufacturers that lines refer to. */
export type CatalogLookup = Pick<VariantLookup, 'variantIdsByCode'> & {
  variants: ReadonlyMap<string, CurrentVariant>
  /** By id and by folded name. */
  products: ReadonlyMap<string, readonly { id: string; name: string }[]>
  manufacturerIds: ManufacturerIds
  /** By variant. */
  lots: ReadonlyMap<string, readonly CurrentLot[]>
  /** YYYY-MM-DD. */
  today: string
}

export type Decision = {
  variantId: string | null
  productId: string | null
  name: string | null
} &
  /** One line per problem. */
  (
    | { outcome: 'refused'; problem: string }
    /** `keys`: no other line may have any of them. */
    | { outcome: 'unchanged'; keys: string[] }
    | { outcome: 'added' | 'changed'; changes: ImportChanges; keys: string[]; warning: string | null }
  )

/** The values of a line by field. Empty cells are omitted. */
export function readRow(cells: readonly string[], { columns }: Pick<ImportMapping, 'columns'>): ParsedRow {
  const row: ParsedRow = {}
  for (const [field, index] of Object.entries(columns) as [ImportField, number][]) {
    const text = unescapeFormula((cells[index] ?? '').trim())
    if (text !== '') row[field] = restoreZeros(field, text)
  }
  return row
}

/** Spreadsheets read identifiers as numbers and drop leading zeros. */
function restoreZeros(field: ImportField, text: string): string {
  if (field === 'din' && /^\d{5,7}$/.test(text)) return text.padStart(8, '0')
  const upc = text.padStart(12, '0')
  return field === 'upc' && /^\d{10,11}$/.test(text) && hasValidCheckDigit(upc) ? upc : text
}

/** What a line would do. */
export function decideRow(
  row: ParsedRow,
  mapping: Pick<ImportMapping, 'adds' | 'clears' | 'columns'>,
  lookup: CatalogLookup,
): Decision {
  const found = findRowVariant(row, lookup)
  const noVariant = { variantId: null, productId: null, name: null }
  if ('problem' in found) return { ...noVariant, outcome: 'refused', problem: found.problem }
  const current = found.id === null ? null : (lookup.variants.get(found.id) ?? null)
  if (row.expiryDate !== undefined && row.lotNumber === undefined) {
    const problem = fieldMessage('lotNumber', 'Enter the number of the lot that has this expiry date.')
    return { ...noVariant, outcome: 'refused', problem }
  }
  if (current && row.lotNumber !== undefined) return decideLot(row, row.lotNumber, lookup, current)
  if (current) return decideChange(row, mapping, lookup, current)
  if (mapping.adds && row.lotNumber !== undefined) {
    const problem = fieldMessage('lotNumber', 'Add the variant first, then import its lots.')
    return { ...noVariant, outcome: 'refused', problem }
  }
  if (mapping.adds) return decideNew(row, lookup)
  const names = keyFields.flatMap((field) =>
    row[field] === undefined ? [] : [`${fieldLabel(field)} ${row[field]}`],
  )
  return { ...noVariant, outcome: 'refused', problem: `No variant has ${names.join(' or ')}.` }
}

/** A line with a lot changes nothing but the units of that lot. */
function decideLot(
  row: ParsedRow,
  lotNumber: string,
  lookup: CatalogLookup,
  current: CurrentVariant,
): Decision {
  const identity = {
    variantId: current.id,
    productId: current.productId,
    name: buildVariantName(current.productName, current),
  }
  const lots = lookup.lots.get(current.id) ?? []
  const lot = findLineLot({ variantId: current.id, lotNumber }, lots)
  const { stockQuantity: _, ...others } = row
  const wire = rowToWire(others, lookup.manufacturerIds)
  const parsed = variantChangesSchema.safeParse(wire)
  const before = variantToWire(current)
  const after = parsed.success ? wireOfParsed(parsed.data) : wire
  const changed = Object.entries(after).filter(
    ([field, value]) => (before[field] ?? null) !== value && !isSame(field, before[field] ?? null, value),
  )
  const problems = changed.map(
    ([field]) =>
      `${changedFieldLabel(field)}: A line with a lot number only counts the lot. Change this in another file.`,
  )
  const counted = decideLotCount(row, { current: lot.current, today: lookup.today })
  if ('problems' in counted) problems.push(...counted.problems)
  if (problems.length > 0 || 'problems' in counted)
    return { ...identity, outcome: 'refused', problem: problems.join('\n') }
  const { changes } = counted
  return Object.keys(changes).length === 0
    ? { ...identity, outcome: 'unchanged', keys: [lot.key] }
    : { ...identity, outcome: 'changed', changes, keys: [lot.key], warning: null }
}

/** The fields that may be cleared. Others are required or boolean. */
const clearable = [
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
  row: ParsedRow,
  { clears, columns }: Pick<ImportMapping, 'clears' | 'columns'>,
  lookup: CatalogLookup,
  current: CurrentVariant,
): Decision {
  const identity = {
    variantId: current.id,
    productId: current.productId,
    name: buildVariantName(current.productName, current),
  }
  const problems = referenceProblems(row, lookup, current)
  if (row.product !== undefined && !namesProduct(row.product, current, lookup)) {
    problems.push(
      fieldMessage(
        'product',
        `This variant belongs to ${current.productName}. An import can’t move it to another product.`,
      ),
    )
  }
  const wire = rowToWire(row, lookup.manufacturerIds)
  if (clears) {
    for (const field of clearable) {
      if (columns[field] !== undefined && row[field] === undefined) wire[toFieldName(field)] = null
    }
  }
  const before = variantToWire(current)
  for (const [field, value] of Object.entries(wire)) {
    if (isSame(field, before[field] ?? null, value)) delete wire[field]
  }
  const result = variantChangesSchema.safeParse(wire)
  if (!result.success) problems.push(...mergeMessages(result.error.issues))
  else if (problems.length === 0 && applyVariantChanges(current, result.data) === null)
    problems.push(fieldMessage('inStock', inStockWithoutStock))
  if (problems.length > 0 || !result.success)
    return { ...identity, outcome: 'refused', problem: problems.join('\n') }
  const changes = diffValues(before, wireOfParsed(result.data))
  const keys = [`id:${current.id}`]
  return Object.keys(changes).length === 0
    ? { ...identity, outcome: 'unchanged', keys }
    : { ...identity, outcome: 'changed', changes, keys, warning: findImportWarning(current, result.data) }
}

function decideNew(row: ParsedRow, lookup: CatalogLookup): Decision {
  const noVariant = { variantId: null, productId: null, name: null }
  const products = row.product === undefined ? [] : productsNamed(row.product, lookup)
  const [product] = products
  const problems: string[] = []
  if (row.product === undefined) problems.push(fieldMessage('product', selectProduct))
  else if (!product) problems.push(fieldMessage('product', 'This product doesn’t exist.'))
  else if (products.length > 1)
    problems.push(
      fieldMessage('product', `${products.length} products have this name. Use the product’s ID.`),
    )
  const productId = product?.id ?? ''
  problems.push(...referenceProblems(row, lookup, { id: null, productId }))
  const result = newVariantSchema.safeParse({
    ...rowToWire(row, lookup.manufacturerIds),
    productId: productId || '-',
  })
  if (!result.success) problems.push(...mergeMessages(result.error.issues))
  else if (newVariantValues(result.data) === null) problems.push(fieldMessage('inStock', inStockWithoutStock))
  if (problems.length > 0 || !result.success || !product)
    return { ...noVariant, outcome: 'refused', problem: problems.join('\n') }
  return {
    variantId: null,
    productId,
    name: buildVariantName(product.name, result.data),
    outcome: 'added',
    changes: diffValues({}, wireOfParsed(result.data)),
    keys: lookupCodes(row).flatMap(({ codes }) => codes),
    warning: findNewVariantWarning(result.data.price),
  }
}

const buildVariantName = (
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

const namesProduct = (text: string, { productId }: { productId: string }, lookup: CatalogLookup): boolean =>
  productsNamed(text, lookup).some(({ id }) => id === productId)

function referenceProblems(
  row: ParsedRow,
  { manufacturerIds, variants }: CatalogLookup,
  { id, productId }: { id: string | null; productId: string },
): string[] {
  const { manufacturer = null, linkedVariantId = null } = row
  const errors = variantReferenceErrors(
    {
      id,
      productId,
      // Unknown text cannot be an id, so it is reported like an unknown id.
      manufacturerId: manufacturer && (findManufacturerId(manufacturer, manufacturerIds) ?? manufacturer),
      linkedVariantId,
    },
    {
      hasManufacturer: (id) => manufacturerIds.has(id),
      productIdOf: (id) => variants.get(id)?.productId,
    },
  )
  return Object.entries(errors).map(([name, message]) => `${changedFieldLabel(name)}: ${message}`)
}
