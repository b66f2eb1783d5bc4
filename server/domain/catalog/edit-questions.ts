import type { Fields } from './catalog-history.ts'
import { listIdentifiers } from './identifiers.ts'
import type { VariantChanges } from './variant-fields.ts'

/** What the back office asks, or says, before a change of the catalog that has consequences. */

const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

const list = new Intl.ListFormat('en-US')

/**
 * The question before a prescription product becomes over-the-counter.
 * @param catalogKey of the directory's product, which begins with the directory's category
 */
export function describeMadeOtc({
  name,
  variantCount,
  catalogKey,
}: {
  name: string
  variantCount: number
  catalogKey: string | null
}): string {
  const variants = plural(variantCount, 'variant', 'variants')
  const listed = catalogKey?.startsWith('Rx:') ? ' The directory lists it as a prescription medicine.' : ''
  return `Customers will be able to buy ${name} (${variants}) without a prescription, and no pharmacist will review new orders.${listed}`
}

/** What of the shop depends on variants. */
export type VariantUses = {
  /** On hand, without the lots in quarantine. */
  units: number
  quarantinedLots: number
  unshippedOrders: number
}

/** "132 units in stock and 2 unshipped orders"; null without any. */
export function describeUses({ units, quarantinedLots, unshippedOrders }: VariantUses): string | null {
  const uses = [
    ...(units > 0 ? [`${plural(units, 'unit', 'units')} in stock`] : []),
    ...(quarantinedLots > 0 ? [`${plural(quarantinedLots, 'lot', 'lots')} in quarantine`] : []),
    ...(unshippedOrders > 0 ? [plural(unshippedOrders, 'unshipped order', 'unshipped orders')] : []),
  ]
  return uses.length === 0 ? null : list.format(uses)
}

const packageFields = {
  dosageForm: 'dosage form',
  strength: 'strength',
  strengthUnit: 'strength unit',
  packageSize: 'package size',
  packageUnit: 'package unit',
} as const satisfies Partial<Record<keyof VariantChanges, string>>
type PackageField = keyof typeof packageFields
const packageFieldNames = Object.keys(packageFields) as PackageField[]

/** What names the package itself. */
export type PackageFacts = Pick<Required<VariantChanges>, PackageField>

/** The facts of a package that differ, as labels. Those that `after` leaves out stay. */
export const changedPackageFacts = (
  before: PackageFacts,
  after: Pick<VariantChanges, PackageField>,
): string[] =>
  packageFieldNames
    .filter((name) => after[name] !== undefined && after[name] !== before[name])
    .map((name) => packageFields[name])

const codeFields = { ndc: 'NDC', din: 'DIN', upc: 'UPC' } as const
type CodeField = keyof typeof codeFields
const noCodes = { ndc: null, din: null, upc: null }

const isSameCode = (field: CodeField, before: string, after: string | null): boolean => {
  const [known, written] = [before, after].map((code) => listIdentifiers({ ...noCodes, [field]: code }))
  return (known ?? []).some(({ value }) => written?.some((other) => other.value === value))
}

/** What identifies a package to a pharmacist and to recalls. */
export type PackageIdentity = Pick<Required<VariantChanges>, CodeField | 'manufacturerId'>

/**
 * What identifies another package after an edit, as labels. An identifier that was missing, or is
 * written in another form, is not another package.
 */
export function changedIdentity(before: PackageIdentity, after: Partial<PackageIdentity>): string[] {
  const codes = Object.entries(codeFields).filter(([name]) => {
    const field = name as CodeField
    const code = before[field]
    return code !== null && after[field] !== undefined && !isSameCode(field, code, after[field])
  })
  const isOtherManufacturer =
    before.manufacturerId !== null &&
    after.manufacturerId !== undefined &&
    after.manufacturerId !== before.manufacturerId
  return [...codes.map(([, label]) => label), ...(isOtherManufacturer ? ['manufacturer'] : [])]
}

/**
 * What identified a package before later edits.
 * @param edits oldest first
 */
export function identityBefore(
  current: PackageIdentity,
  edits: readonly { before: Fields }[],
): PackageIdentity {
  const first = (field: keyof PackageIdentity): string | null => {
    const value = edits.find(({ before }) => before[field] !== undefined)?.before[field]
    return value === undefined ? current[field] : typeof value === 'string' ? value : null
  }
  return {
    ndc: first('ndc'),
    din: first('din'),
    upc: first('upc'),
    manufacturerId: first('manufacturerId'),
  }
}

/** What the shop has of a variant that it sold out. */
export const mayBeWithCustomers = 'packages that customers may have'

/**
 * The question before the facts of a package change that the shop or a customer has.
 * @param identity the facts that recalls find packages by
 */
export function describeChangedPackage(
  facts: readonly string[],
  identity: readonly string[],
  uses: string,
): string {
  return `You changed the ${list.format([...facts, ...identity])} of a variant with ${uses}. The packages and the orders stay as they are.${describeMissedRecalls(identity)} To sell a different package, add a variant instead.`
}

/** The same before a line of a CSV import, which doesn't look up what the shop has. */
export const describeImportedPackage = (facts: readonly string[], identity: readonly string[]): string =>
  `This changes the ${list.format([...facts, ...identity])}. Packages in stock and orders stay as they are.${describeMissedRecalls(identity)} To sell a different package, add a variant instead.`

const describeMissedRecalls = (identity: readonly string[]): string =>
  identity.length > 0 ? ` A recall that names the earlier ${list.format(identity)} won’t find them.` : ''

/** Items of orders by name; only their number for staff who may not see medicines. */
const nameItems = (names: readonly string[], count: number): string =>
  names.length > 0 ? list.format(names) : plural(count, 'item', 'items')

/**
 * The warning before orders ship whose packages the catalog describes differently by now.
 * @param names of the items, empty for staff who may not see medicines
 */
export const describeChangedOrders = (names: readonly string[], count: number): string =>
  `The catalog’s strength, form or size of ${nameItems(names, count)} has changed since the order. Check that the package is what was ordered.`

/**
 * The warning before orders ship whose packages have other identifiers in the catalog by now.
 * @param names of the items, empty for staff who may not see medicines
 */
export const describeChangedIdentifiers = (names: readonly string[], count: number): string =>
  `The catalog’s NDC, DIN, UPC or manufacturer of ${nameItems(names, count)} has changed since the order. Check that the package is what was ordered. A recall that names the earlier code or manufacturer won’t stop the order.`
