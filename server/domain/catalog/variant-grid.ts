import type { RelaxedSearch } from '../search/relaxed-search.ts'
import { z } from 'zod'
import { categories, type Category, type Product, type Variant } from './catalog.ts'
import { gridQuerySchema } from '../grid.ts'

/**
 * Stock filters of the variant grid: in stock, out of stock, or low enough to be flagged
 * (specification, section 9).
 */
export const stockFilters = ['in', 'out', 'low'] as const

export const variantQuerySchema = gridQuerySchema({
  sorts: ['product', 'price', 'stock', 'margin', 'newest'],
  sort: 'product',
  dir: 'asc',
  filters: {
    category: z.enum(categories).optional().catch(undefined),
    stock: z.enum(stockFilters).optional().catch(undefined),
    price: z.literal('none').optional().catch(undefined),
    manufacturerId: z.string().max(64).optional().catch(undefined),
  },
})
export type VariantQuery = z.output<typeof variantQuerySchema>

/** A variant as the back office's grid shows it. */
export type VariantRow = Variant & {
  /** US dollars with two decimals. */
  acquisitionCost: string | null
  productName: string
  category: Category
  controlledSchedule: string | null
  manufacturerName: string | null
  /** The label of the linked variant. */
  linkedVariant: string | null
  version: number
}

export const productQuerySchema = gridQuerySchema({
  sorts: ['name', 'price', 'variants', 'newest'],
  sort: 'name',
  dir: 'asc',
  filters: {
    category: z.enum(categories).optional().catch(undefined),
    stock: z.enum(['in', 'out']).optional().catch(undefined),
  },
})
export type ProductQuery = z.output<typeof productQuerySchema>

/** A product as the back office's grid shows it. */
export type ProductRow = Omit<Product, 'pharmacyId' | 'image'> & {
  /** The uploaded picture. Null when the illustration is used. */
  image: string | null
  /** Our copy of a picture of another site. Null until it was fetched. */
  imageCopy: string | null
  /** Why that picture can't be copied. Null while a job tries again. */
  pictureProblem: string | null
  route: string | null
  forms: readonly string[]
  variantCount: number
  inStock: boolean
  priceMin: string | null
  priceMax: string | null
  version: number
}

/** A note about the search beside its rows. */
export type SearchNote =
  | { kind: 'bad-check-digit' }
  /** Results are for this corrected query. */
  | { kind: 'repaired'; query: string }
  /** Words without a match were ignored. */
  | { kind: 'relaxed'; search: RelaxedSearch }
  /** More rows match than were examined. */
  | { kind: 'capped' }
