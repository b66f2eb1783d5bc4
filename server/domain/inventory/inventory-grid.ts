import { z } from 'zod'
import { gridQuerySchema, type GridPage } from '../grid.ts'
import type { InventoryTransaction } from './inventory.ts'
import { stockViews } from './inventory-messages.ts'

/** The stock list: by default low stock, smallest first (specification, section 2). */
export const stockQuerySchema = gridQuerySchema({
  sorts: ['stock', 'product', 'price'],
  sort: 'stock',
  dir: 'asc',
  filters: { show: z.enum(stockViews).catch('low') },
})
export type StockQuery = z.output<typeof stockQuerySchema>

/** A variant with its stock. */
export type StockedVariant = {
  id: string
  productId: string
  productName: string
  /** "Advil, 200 mg, 24 tablet". */
  label: string
  stockQuantity: number
  /** How many of those are reserved by open checkouts. */
  reservedQuantity: number
  /** Deleted from the catalog; its ledger stays. */
  isDeleted: boolean
  isOnSale: boolean
}

/** A row of the stock grid. */
export type StockRow = StockedVariant & {
  manufacturerName: string | null
  /** US dollars with two decimals; null when unknown. */
  price: string | null
  acquisitionCost: string | null
  /** The status of a shortage that the FDA lists; absent without one. */
  shortage?: string
}

/** A page of the stock grid. */
export type StockPage = GridPage<StockRow> & {
  /** How many variants the search found that the chosen view leaves out. */
  hidden: number
}

/** The ledger, newest first, of one variant or all. */
export const historyQuerySchema = gridQuerySchema({
  sorts: ['newest'],
  sort: 'newest',
  dir: 'desc',
  filters: {
    /** A variant's id or, from a form without scripts, the typed part of its name. */
    variant: z.string().trim().max(200).catch(''),
  },
})
export type HistoryQuery = z.output<typeof historyQuerySchema>

/** A row of the ledger for the back office. */
export type HistoryRow = Omit<InventoryTransaction, 'createdAt'> & {
  /** ISO 8601 */
  createdAt: string
  productName: string
  label: string
}

/** The value of the stock. Money in US dollars with two decimals. */
export type StockValue = {
  units: number
  atCost: string
  atPrice: string
  /** How many units are missing from each sum, because they have no cost or no price. */
  withoutCost: number
  withoutPrice: number
}
