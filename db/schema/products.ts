import type { Category } from '#domain/catalog/catalog.ts'
import type { Generated, GeneratedAlways } from 'kysely'

export type ProductsTable = {
  id: string
  name: string
  /** The name folded: lower case, no accents, single spaces. */
  sortName: string
  description: string | null
  image: string | null
  category: Category
  pharmacyId: string | null
  controlledSchedule: string | null
  /** All active ingredients as one reads them, "; " between; null for products made by hand. */
  ingredients: string | null
  /** "oral", "injection" …; null when unknown. */
  route: string | null
  /** The established pharmacologic class in the directory's words. */
  drugClass: string | null
  /** Which medicine of the directories this is; null for products made by hand. */
  catalogKey: string | null
  /** The description that the import wrote last; one that differs is an administrator's and stays. */
  catalogDescription: string | null
  unitsSold: Generated<number>
  /** −units_sold: ascending beside sort_name and id it is the list's order. */
  salesOrder: GeneratedAlways<number>
  /** The summary of the variants, kept by refreshProductSummaries. */
  priceMinCents: number | null
  priceMaxCents: number | null
  inStock: Generated<boolean>
  variantCount: Generated<number>
  /** Comma-joined, in the order of `dosageForms`. */
  dosageForms: Generated<string>
  /** The variant whose illustration stands for the product. */
  coverVariantId: string | null
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** What was sold of a product, or with a negative number taken back, and is not in its `unitsSold` yet. */
export type UnitsToCountTable = { productId: string; units: number }
