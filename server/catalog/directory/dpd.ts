import { formatSubstance } from '#domain/catalog/substance-name.ts'
import { parseBrandName, toManufacturerKey } from './brands.ts'
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
import { parseCategory } from './ndc.ts'
import { canadianPack } from './packs.ts'
import { findRouteGroup } from './routes.ts'
import { americanSchedule, canadianSchedule } from './schedules.ts'
import { canadianAmounts, combineAmounts } from './strength.ts'

/** "SERTRALINE (SERTRALINE HYDROCHLORIDE)" names both. The one in parentheses is in the product. */
const activeSubstance = (ingredient: string): string => {
  const [, outer = '', inside = ''] = /^(.+?) \((.+)\)$/.exec(ingredient) ?? []
  return inside.startsWith(outer) && outer ? (inside.split(', ')[0] ?? inside) : ingredient
}

/** Parses a DIN of Health Canada's Drug Product Database. Throws RowRejectedError. */
export function fromDpdRow(row: DirectoryRow<'dpd'>): DirectoryVariant {
  if (!/^\d{8}$/.test(row.din)) throw new RowRejectedError(`"${row.din}" is not a DIN of 8 digits`)
  const listed = row.ingredients ? row.ingredients.split('; ') : row.brand_name ? [row.brand_name] : []
  if (listed.length === 0) throw new RowRejectedError('the row names no product')
  const { substances, moieties, amounts } = sortedIngredients(
    listed,
    canadianAmounts(row.strength_display),
    compareIngredients,
  )
  const route = findRouteGroup(row.route, row.dosage_form)
  const dosageForm = findDosageForm(row.dosage_form, route)
  const brandName = parseBrandName(row.brand_name, [...substances, ...moieties])
  const french = row.ingredients_fr ? row.ingredients_fr.split('; ') : []
  return {
    catalogKey: `din:${row.din}`,
    product: toDirectoryProduct(moieties, parseCategory(row.product_type), route, null),
    brandName,
    genericName: joinNames(substances.map(activeSubstance)),
    manufacturer: row.company
      ? { name: formatBrand(row.company), key: toManufacturerKey(row.company) }
      : null,
    dosageForm,
    ...combineAmounts(amounts),
    ...canadianPack(row.package_information, row.dosage_form),
    ndc: null,
    din: row.din,
    upc: null,
    labelStrength: row.strength_display || null,
    labelForm: row.dosage_form || null,
    labelPack: row.package_information || null,
    applicationNumber: null,
    controlledSchedule: canadianSchedule(row.controlled) ?? americanSchedule(moieties, dosageForm),
    names: directoryNames([
      // A name made only of ingredients is still searchable, as printed on the label.
      brandName
        ? { kind: 'brand' as const, label: brandName }
        : { kind: 'ingredient' as const, label: formatSubstance(row.brand_name) },
      ...(row.brand_name_fr ? [{ kind: 'brand' as const, label: formatBrand(row.brand_name_fr) }] : []),
      ...substances.flatMap(ingredientNames),
      ...french.flatMap((name) => {
        const [, outer = name, inside = ''] = /^(.+?) ?\((.+)\)$/.exec(name) ?? []
        return [outer, inside].map((label) => ({
          kind: 'ingredient' as const,
          label: formatSubstance(label),
        }))
      }),
    ]),
  }
}
