import type { Category } from '#domain/catalog/catalog.ts'
import { brandNameOf, makerKeyOf, substancesInName } from './brands.ts'
import { RowRejected, type DirectoryRow } from './columns.ts'
import {
  directoryNames,
  ingredientNames,
  medicineOf,
  sortedIngredients,
  type DirectoryVariant,
} from './directory-variant.ts'
import { dosageFormOf } from './forms.ts'
import { byIngredient, joinNames, readable, readableBrand } from './names.ts'
import { americanPack } from './packs.ts'
import { remember } from './memoize.ts'
import { routeGroupOf } from './routes.ts'
import { americanSchedule } from './schedules.ts'
import { americanAmounts, strengthOf } from './strength.ts'

const ndcPattern = /^[0-9A-Z]{4,6}-[0-9A-Z]{3,4}-[0-9A-Z]{1,2}$/i

/** Rx or OTC from a directory's word; Canada's "Ethical" is sold by prescription here. */
export function categoryOf(productType: string): Category {
  if (productType === 'OTC') return 'OTC'
  if (productType === 'Rx' || productType === 'Ethical') return 'Rx'
  throw new RowRejected(`the product type is "${productType}", not Rx, Ethical or OTC`)
}

/** "Serotonin Reuptake Inhibitor [EPC],Serotonin Uptake Inhibitors [MoA]" → the established classes alone. */
function drugClassOf(classes: string): string | null {
  const established = classes.split(/(?<=\]),/).filter((name) => name.endsWith(' [EPC]'))
  return [...new Set(established.map((name) => name.slice(0, -6).trim()))].join('; ') || null
}

type NdcProduct = Pick<
  DirectoryVariant,
  | 'medicine'
  | 'brandName'
  | 'genericName'
  | 'maker'
  | 'dosageForm'
  | 'strength'
  | 'strengthUnit'
  | 'controlledSchedule'
  | 'names'
>

/** What all packages of one product share. Only a kit's form and an unstated route are read off the pack. */
function readProduct(row: DirectoryRow<'ndc'>): NdcProduct {
  const listed = row.substances
    ? row.substances.split('; ')
    : substancesInName(row.nonproprietary_name || row.proprietary_name)
  if (listed.length === 0) throw new RowRejected('the row names no medicine')
  const { substances, moieties, amounts } = sortedIngredients(
    listed,
    americanAmounts(row.strength, row.strength_unit, row.package_size),
    byIngredient,
  )
  const route = routeGroupOf(
    row.route,
    row.dosage_form,
    `${row.package_description} ${row.nonproprietary_name}`,
  )
  const dosageForm = dosageFormOf(row.dosage_form, route, row.package_description)
  const brandName = brandNameOf(row.proprietary_name, [...substances, ...moieties, row.nonproprietary_name])
  return {
    medicine: medicineOf(
      moieties,
      categoryOf(row.product_type),
      route,
      // Of a mixture of many the classes are its ingredients', not the medicine's.
      moieties.length > 4 ? null : drugClassOf(row.pharm_classes),
    ),
    brandName,
    genericName: joinNames(substances),
    maker: row.labeler ? { name: readableBrand(row.labeler), key: makerKeyOf(row.labeler) } : null,
    dosageForm,
    ...strengthOf(amounts),
    controlledSchedule: americanSchedule(moieties, dosageForm),
    names: directoryNames([
      // A name that is only ingredients is one to search by all the same, as its label has it.
      brandName
        ? { kind: 'brand' as const, label: brandName }
        : { kind: 'ingredient' as const, label: readable(row.proprietary_name) },
      ...substances.flatMap(ingredientNames),
      { kind: 'ingredient', label: readable(row.nonproprietary_name) },
    ]),
  }
}

/** A product has a few packages, one after the other. */
const productOf = remember(readProduct, (row) =>
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
    // A unit such as "mg/301" is read beside the pack's size.
    /\/\d+1(?:;|$)/.test(row.strength_unit) ? row.package_size : '',
    row.dosage_form === 'KIT' || !row.route ? row.package_description : '',
  ].join('\t'),
)

/** A package of the FDA NDC Directory. Throws RowRejected. */
export function fromNdcRow(row: DirectoryRow<'ndc'>): DirectoryVariant {
  if (!ndcPattern.test(row.package_ndc)) throw new RowRejected(`"${row.package_ndc}" is no NDC package code`)
  return {
    ...productOf(row),
    catalogKey: `ndc:${row.package_ndc}`,
    ...americanPack(row.package_description, row.dosage_form),
    ndc: row.package_ndc,
    din: null,
    upc: null,
    labelStrength: row.strength_display || null,
    labelForm: row.dosage_form || null,
    labelPack: row.package_description || null,
  }
}
