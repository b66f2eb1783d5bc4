import type { Category } from '#domain/catalog/catalog.ts'
import { formatSubstance } from '#domain/catalog/substance-name.ts'
import { parseBrandName, toManufacturerKey, substancesInName } from './brands.ts'
import { RowRejectedError, type DirectoryRow } from './columns.ts'
import {
  directoryNames,
  ingredientNames,
  toDirectoryProduct,
  sortedIngredients,
  type DirectoryVariant,
} from './directory-variant.ts'
import { findDosageForm } from './forms.ts'
import { compareIngredients, joinNames, formatBrand } from './names.ts'
import { americanPack } from './packs.ts'
import { memoize } from '#domain/memoize.ts'
import { findRouteGroup } from './routes.ts'
import { americanSchedule } from './schedules.ts'
import { americanAmounts, combineAmounts } from './strength.ts'

const ndcPattern = /^[0-9A-Z]{4,6}-[0-9A-Z]{3,4}-[0-9A-Z]{1,2}$/i

/** Not an application: "BN890105", "part333E", or nothing for an unapproved product. */
const applicationPattern = /^(?:A?NDA|BLA)\d{6}$/

/** Rx or OTC from a directory's product type. Canada's "Ethical" products are prescription here. */
export function parseCategory(productType: string): Category {
  if (productType === 'OTC') return 'OTC'
  if (productType === 'Rx' || productType === 'Ethical') return 'Rx'
  throw new RowRejectedError(`the product type is "${productType}", not Rx, Ethical or OTC`)
}

/**
 * "Serotonin Reuptake Inhibitor [EPC],Serotonin Uptake Inhibitors [MoA]" → the established classes
 * only.
 */
function parseDrugClass(classes: string): string | null {
  const established = classes.split(/(?<=\]),/).filter((name) => name.endsWith(' [EPC]'))
  return [...new Set(established.map((name) => name.slice(0, -6).trim()))].join('; ') || null
}

type NdcProduct = Pick<
  DirectoryVariant,
  | 'product'
  | 'brandName'
  | 'genericName'
  | 'manufacturer'
  | 'dosageForm'
  | 'strength'
  | 'strengthUnit'
  | 'controlledSchedule'
  | 'names'
>

/**
 * The data shared by all packages of a product. Only a kit's form and an unstated route depend on
 * the package.
 */
function readProduct(row: DirectoryRow<'ndc'>): NdcProduct {
  const listed = row.substances
    ? row.substances.split('; ')
    : substancesInName(row.nonproprietary_name || row.proprietary_name)
  if (listed.length === 0) throw new RowRejectedError('the row names no product')
  const { substances, moieties, amounts } = sortedIngredients(
    listed,
    americanAmounts(row.strength, row.strength_unit, row.package_size),
    compareIngredients,
  )
  const route = findRouteGroup(
    row.route,
    row.dosage_form,
    `${row.package_description} ${row.nonproprietary_name}`,
  )
  const dosageForm = findDosageForm(row.dosage_form, route, row.package_description)
  const brandName = parseBrandName(row.proprietary_name, [
    ...substances,
    ...moieties,
    row.nonproprietary_name,
  ])
  return {
    product: toDirectoryProduct(
      moieties,
      parseCategory(row.product_type),
      route,
      // In a mixture of many ingredients the classes describe the ingredients, not the product.
      moieties.length > 4 ? null : parseDrugClass(row.pharm_classes),
    ),
    brandName,
    genericName: joinNames(substances),
    manufacturer: row.labeler
      ? { name: formatBrand(row.labeler), key: toManufacturerKey(row.labeler) }
      : null,
    dosageForm,
    ...combineAmounts(amounts),
    controlledSchedule: americanSchedule(moieties, dosageForm),
    names: directoryNames([
      // A name made only of ingredients is still searchable, as printed on the label.
      brandName
        ? { kind: 'brand' as const, label: brandName }
        : { kind: 'ingredient' as const, label: formatSubstance(row.proprietary_name) },
      ...substances.flatMap(ingredientNames),
      { kind: 'ingredient', label: formatSubstance(row.nonproprietary_name) },
    ]),
  }
}

/** A product has a few packages, on consecutive rows. */
const readProductOnce = memoize(readProduct, (row) =>
  [
    row.product_type,
    row.proprietary_name,
    row.nonproprietary_name,
    row.labeler,
    row.dosage_form,
    row.route,
    row.substances,
    row.strength,
    row.strength_unit,
    row.pharm_classes,
    // A unit such as "mg/301" is interpreted by the package size.
    /\/\d+1(?:;|$)/.test(row.strength_unit) ? row.package_size : '',
    row.dosage_form === 'KIT' || !row.route ? row.package_description : '',
  ].join('\t'),
)

/** Parses a package of the FDA NDC Directory. Throws RowRejectedError. */
export function fromNdcRow(row: DirectoryRow<'ndc'>): DirectoryVariant {
  if (!ndcPattern.test(row.package_ndc))
    throw new RowRejectedError(`"${row.package_ndc}" is not an NDC package code`)
  const read = readProductOnce(row)
  const pack = americanPack(row.package_description, row.dosage_form)
  // Field by field: spreading objects took a fifth of the time of reading a row.
  return {
    catalogKey: `ndc:${row.package_ndc}`,
    product: read.product,
    brandName: read.brandName,
    genericName: read.genericName,
    manufacturer: read.manufacturer,
    dosageForm: read.dosageForm,
    strength: read.strength,
    strengthUnit: read.strengthUnit,
    packageSize: pack.packageSize,
    packageUnit: pack.packageUnit,
    ndc: row.package_ndc,
    din: null,
    upc: null,
    controlledSchedule: read.controlledSchedule,
    names: read.names,
    labelStrength: row.strength_display || null,
    labelForm: row.dosage_form || null,
    labelPack: row.package_description || null,
    applicationNumber: applicationPattern.test(row.application_number ?? '')
      ? (row.application_number ?? null)
      : null,
  }
}
