import { hasValidCheckDigit } from '#domain/catalog/identifiers.ts'
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
import { compareIngredients, joinNames, formatBrand } from './names.ts'
import { parseCategory } from './ndc.ts'
import { findRouteGroup } from './routes.ts'
import { americanSchedule } from './schedules.ts'

/** Some rows have 13 digits: an EAN-13 is "0" and the UPC. */
export const normalizeUpc = (written: string): string =>
  written.length === 13 && written.startsWith('0') ? written.slice(1) : written

/**
 * Parses a published UPC with its label's data as a variant. The file states neither strength nor
 * package. The importer completes an existing variant of the same package instead. Throws
 * RowRejectedError.
 */
export function fromUpcRow(row: DirectoryRow<'upc'>): DirectoryVariant {
  const upc = normalizeUpc(row.upc)
  if (!/^\d{12}$/.test(upc)) throw new RowRejectedError(`"${row.upc}" is not a UPC of 12 digits`)
  if (!hasValidCheckDigit(upc)) throw new RowRejectedError(`the check digit of UPC ${upc} is wrong`)
  const brands = row.brand_name.split('; ').filter(Boolean)
  const generic = row.generic_name || brands[0] || ''
  const listed = substancesInName(generic)
  if (listed.length === 0) throw new RowRejectedError('the row names no product')
  const { substances, moieties } = sortedIngredients(listed, [], compareIngredients)
  const brandName = parseBrandName(brands[0] ?? '', [...substances, ...moieties, generic])
  return {
    catalogKey: `upc:${upc}`,
    product: toDirectoryProduct(moieties, parseCategory(row.product_type), findRouteGroup(row.route), null),
    brandName,
    genericName: joinNames(substances),
    manufacturer: row.manufacturer
      ? { name: formatBrand(row.manufacturer), key: toManufacturerKey(row.manufacturer) }
      : null,
    dosageForm: null,
    strength: '',
    strengthUnit: '',
    packageSize: 1,
    packageUnit: 'package',
    ndc: row.package_ndc || null,
    din: null,
    upc,
    labelStrength: null,
    labelForm: null,
    labelPack: null,
    applicationNumber: null,
    controlledSchedule: americanSchedule(moieties, null),
    names: directoryNames([
      ...(brandName ? brands.map((brand) => ({ kind: 'brand' as const, label: formatBrand(brand) })) : []),
      ...substances.flatMap(ingredientNames),
      { kind: 'ingredient', label: formatSubstance(generic) },
    ]),
  }
}
