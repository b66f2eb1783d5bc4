import { z } from 'zod'
import { categories, type Category, type Product, type Variant } from './catalog.ts'
import { gridQuerySchema } from '../grid.ts'

/** What of the stock a grid of variants shows: at hand, not, or so little that it is flagged (specification, section 9). */
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
  /** Which variant it is linked to, as one reads it. */
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
  /** The picture that an administrator gave; null when it is drawn. */
  image: string | null
  variantCount: number
  inStock: boolean
  priceMin: string | null
  priceMax: string | null
  version: number
}

/** What a search of the desk has to say besides its rows. */
export type SearchNote =
  | { kind: 'bad-check-digit' }
  /** Another query was answered. */
  | { kind: 'repaired'; query: string }
  /** More match than are looked at. */
  | { kind: 'capped' }
