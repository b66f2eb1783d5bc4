import { z } from 'zod'
import { gridQuerySchema } from '../grid.ts'
import type { InventoryTransaction } from './inventory.ts'
import { stockShown } from './inventory-messages.ts'

/** What the inventory shows first: what is running low, the least at hand first (specification, section 2). */
export const stockQuerySchema = gridQuerySchema({
  sorts: ['stock', 'product', 'price'],
  sort: 'stock',
  dir: 'asc',
  filters: { show: z.enum(stockShown).catch('low') },
})
export type StockQuery = z.output<typeof stockQuerySchema>

/** A variant as one reads it, with what is at hand. */
export type StockedVariant = {
  id: string
  productId: string
  productName: string
  /** "Advil, 200 mg, 24 tablet". */
  label: string
  stockQuantity: number
  /** How many of those open checkouts hold. */
  reservedQuantity: number
  /** It is no longer offered; its ledger stays. */
  isDeleted: boolean
}

/** A row of the stock grid. */
export type StockRow = StockedVariant & {
  manufacturerName: string | null
  /** US dollars with two decimals; null when nobody said. */
  price: string | null
  acquisitionCost: string | null
}

/** The ledger, the newest first; of one variant, or of all. */
export const historyQuerySchema = gridQuerySchema({
  sorts: ['newest'],
  sort: 'newest',
  dir: 'desc',
  filters: {
    /** A variant's id or, from a form without scripts, what was typed of its name. */
    variant: z.string().trim().max(200).catch(''),
  },
})
export type HistoryQuery = z.output<typeof historyQuerySchema>

/** A row of the ledger as the back office shows it. */
export type HistoryRow = Omit<InventoryTransaction, 'createdAt'> & {
  /** ISO 8601 */
  createdAt: string
  productName: string
  label: string
}

/** What the stock is worth. Money in US dollars with two decimals. */
export type StockValue = {
  units: number
  atCost: string
  atPrice: string
  /** How many units are in neither sum because nobody said what they cost, or what they are sold for. */
  withoutCost: number
  withoutPrice: number
}
