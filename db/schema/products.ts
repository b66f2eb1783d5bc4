import type { Category } from '#domain/catalog/catalog.ts'
import type { Generated, GeneratedAlways } from 'kysely'

export type ProductsTable = {
  id: string
  name: string
  /** The folded name: lower case, no accents, single spaces. */
  sortName: string
  description: string | null
  /** As the admin gave it: a path of ours or an https URL of another site. */
  image: string | null
  /** The path of our copy of another site's picture. */
  imageCopy: string | null
  category: Category
  pharmacyId: string | null
  controlledSchedule: string | null
  /** All active ingredients, joined by "; ". Null if an admin created the product. */
  ingredients: string | null
  /** "oral", "injection" …. Null if unknown. */
  route: string | null
  /** The established pharmacologic class, as the directory names it. */
  drugClass: string | null
  /** The medicine in the directories. Null if an admin created the product. */
  catalogKey: string | null
  /** The description the last import wrote. A different one is an admin's and is kept. */
  catalogDescription: string | null
  unitsSold: Generated<number>
  /** −units_sold, so that the list is ordered by it, sort_name and id, all ascending. */
  salesOrder: GeneratedAlways<number>
  /** A summary of the variants, which refreshProductSummaries updates. */
  priceMinCents: number | null
  priceMaxCents: number | null
  inStock: Generated<boolean>
  variantCount: Generated<number>
  /** Comma-joined, in the order of `dosageForms`. */
  dosageForms: Generated<string>
  /** The different offers among the variants, as `server/domain/search/facets.ts` reads them. */
  offers: Generated<string>
  /** The lowest price of one unit of a pack, in ten-thousandths of a cent. */
  unitPriceMin: Generated<number | null>
  /** The variant whose illustration represents the product. */
  coverVariantId: string | null
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/**
 * Units sold, or returned if negative, that `unitsSold` does not include yet. One row per order, as
 * JSON of product ids and units, sealed under the shop's key.
 */
export type UnitsToCountTable = { id: string; sealedUnits: string }
