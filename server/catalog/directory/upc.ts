import { upcCheckDigitIsValid } from '#domain/catalog/identifiers.ts'
import { brandNameOf, makerKeyOf, substancesInName } from './brands.ts'
import { RowRejected, type DirectoryRow } from './columns.ts'
import {
  directoryNames,
  ingredientNames,
  medicineOf,
  sortedIngredients,
  type DirectoryVariant,
} from './directory-variant.ts'
import { byIngredient, joinNames, readable, readableBrand } from './names.ts'
import { categoryOf } from './ndc.ts'
import { routeGroupOf } from './routes.ts'
import { americanSchedule } from './schedules.ts'

/** Some print 13 digits: an EAN-13 is "0" and the UPC. */
export const upcOf = (written: string): string =>
  written.length === 13 && written.startsWith('0') ? written.slice(1) : written

/**
 * A published UPC with what its label says, as a variant of its own: the directory states neither strength nor pack.
 * The importer completes an existing variant of the same package instead. Throws RowRejected.
 */
export function fromUpcRow(row: DirectoryRow<'upc'>): DirectoryVariant {
  const upc = upcOf(row.upc)
  if (!/^\d{12}$/.test(upc)) throw new RowRejected(`"${row.upc}" is no UPC of 12 digits`)
  if (!upcCheckDigitIsValid(upc)) throw new RowRejected(`the check digit of UPC ${upc} is wrong`)
  const brands = row.brand_name.split('; ').filter(Boolean)
  const generic = row.generic_name || brands[0] || ''
  const listed = substancesInName(generic)
  if (listed.length === 0) throw new RowRejected('the row names no medicine')
  const { substances, moieties } = sortedIngredients(listed, [], byIngredient)
  const brandName = brandNameOf(brands[0] ?? '', [...substances, ...moieties, generic])
  return {
    catalogKey: `upc:${upc}`,
    medicine: medicineOf(moieties, categoryOf(row.product_type), routeGroupOf(row.route), null),
    brandName,
    genericName: joinNames(substances),
    maker: row.manufacturer
      ? { name: readableBrand(row.manufacturer), key: makerKeyOf(row.manufacturer) }
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
    controlledSchedule: americanSchedule(moieties, null),
    names: directoryNames([
      ...(brandName ? brands.map((brand) => ({ kind: 'brand' as const, label: readableBrand(brand) })) : []),
      ...substances.flatMap(ingredientNames),
      { kind: 'ingredient', label: readable(generic) },
    ]),
  }
}
