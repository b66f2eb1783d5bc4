import type { LotUnits } from '#domain/inventory/lots.ts'
import { randomBytes } from '#domain/random-bytes.ts'
import { sql } from 'kysely'

/**
 * The effect of one write on the stock on hand; `recordStockChanges` turns it into a ledger row.
 *
 * Each write is one conditional update without a prior read. A transaction that writes several
 * variants orders them by id, so that two transactions cannot deadlock. Lots (`lots.ts`) are only
 * written after their variant, whose row is then locked.
 */
export type StockChange = {
  variantId: string
  productId: string
  before: number
  after: number
  /**
   * The variant's version after the write: a later change has a higher one, whatever the clock
   * says.
   */
  sequence: number
  /**
   * Whether a tracked variant ran out or came back; its product's summary must then be refreshed.
   */
  hasAvailabilityChanged: boolean
  /** Whether it ever had stock in a lot. */
  hasLots: boolean
  /** The lots that gained or lost units with it; the rest is in no lot. */
  lots: readonly LotChange[]
}

/** Units that a lot gained, or lost when negative. */
export type LotChange = { lotId: string; change: number }

/** The sum of the changes of each lot. */
export function sumLotChanges(changes: readonly LotChange[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { lotId, change } of changes) sums.set(lotId, (sums.get(lotId) ?? 0) + change)
  return sums
}

/** What units of lots mean for them when they are sold (-1) or returned (1). */
export const toLotChanges = (units: readonly LotUnits[], sign: 1 | -1): LotChange[] =>
  units.map(({ lotId, quantity }) => ({ lotId, change: sign * quantity }))

/** What an update of the stock returns. */
export type ChangedRow = {
  productId: string
  after: number
  sequence: number
  isTracked: number
  hasLots: number
}

/**
 * How much a change of the stock raises the version. Random, so that a version does not count the
 * orders of a variant, which could then be compared with its sealed ledger rows.
 */
export const versionStep = (): number => 1 + ((randomBytes(1)[0] ?? 0) & 63)

export const raisedVersion = (step: ReturnType<typeof sql<number>>) =>
  sql<number>`version + cast(${step} as integer)`

/**
 * The columns that an update returns. No booleans: SQLite does not report the type of returned
 * columns.
 */
export const returningColumns = [
  'productId',
  'stockQuantity as after',
  'version as sequence',
  sql<number>`case when track_inventory then 1 else 0 end`.as('isTracked'),
  sql<number>`case when has_lots then 1 else 0 end`.as('hasLots'),
] as const

export function toStockChange(variantId: string, row: ChangedRow, change: number): StockChange {
  const before = row.after - change
  return {
    variantId,
    productId: row.productId,
    before,
    after: row.after,
    sequence: row.sequence,
    hasAvailabilityChanged: row.isTracked === 1 && (before === 0) !== (row.after === 0),
    hasLots: row.hasLots === 1,
    lots: [],
  }
}
