import { z } from 'zod'
import type { InventoryTransaction } from '../inventory/inventory.ts'

/**
 * How many different customers the orders of a batch have at least. Even someone who knows which
 * medicines a batch contains cannot tell whose they are.
 */
export const batchCustomers = 24

/** A change of a variant's stock as the sealed ledger holds it. */
export const ledgerChangeSchema = z.object({
  id: z.string(),
  variantId: z.string(),
  type: z.enum(['purchase', 'adjustment', 'return', 'damaged', 'expired', 'sale', 'cancellation']),
  change: z.int(),
  before: z.int(),
  notes: z.string().nullable(),
  /** Unix milliseconds. */
  at: z.int(),
  /** Increases with each change of the variant. */
  sequence: z.int(),
  /** The lots that gained or lost units with it; the rest is in no lot. */
  lots: z.array(z.object({ lotId: z.string(), change: z.int() })).optional(),
})
export type LedgerChange = z.output<typeof ledgerChangeSchema>

/** What one order or one edit changed. */
export const inboxContentSchema = z.object({
  /** The orders that made the changes. */
  orderIds: z.array(z.string()),
  changes: z.array(ledgerChangeSchema),
})
export type InboxContent = z.output<typeof inboxContentSchema>

/** The units that a batch's orders sold, less cancellations, by variant. */
export const batchSumsSchema = z.array(z.tuple([z.string(), z.int()]))

export const toTransaction = (change: LedgerChange): InventoryTransaction => ({
  id: change.id,
  productVariantId: change.variantId,
  transactionType: change.type,
  quantityChange: change.change,
  quantityBefore: change.before,
  quantityAfter: change.before + change.change,
  notes: change.notes,
  createdAt: new Date(change.at),
})

/** A plain row of the ledger in the form of a sealed one; it comes before all sealed changes. */
export const fromPlainRow = (row: InventoryTransaction): LedgerChange => ({
  id: row.id,
  variantId: row.productVariantId,
  type: row.transactionType,
  change: row.quantityChange,
  before: row.quantityBefore,
  notes: row.notes,
  at: row.createdAt.getTime(),
  sequence: plainSequence(row.createdAt),
})

/** Far below every version, and in the order of the times, which differ within a variant. */
const plainSequence = (createdAt: Date): number => createdAt.getTime() - 10_000_000_000_000

/** A change with its place in the order of the ledger. */
export type PlacedChange = LedgerChange & {
  /** Its time, or that of an earlier change of the variant that a clock put later. */
  placeMs: number
}

/** The order of the ledger within a batch, oldest first. */
export const comparePlaces = (a: PlacedChange, b: PlacedChange): number =>
  a.placeMs - b.placeMs || a.sequence - b.sequence || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/**
 * Sorts changes by time, oldest first. The changes of one variant stay in their sequence, even if
 * the clocks of two processes differ.
 */
export function sortChanges(changes: readonly LedgerChange[]): PlacedChange[] {
  const latest = new Map<string, number>()
  return changes
    .toSorted((a, b) => a.sequence - b.sequence)
    .map((change) => {
      const placeMs = Math.max(change.at, latest.get(change.variantId) ?? 0)
      latest.set(change.variantId, placeMs)
      return { ...change, placeMs }
    })
    .toSorted(comparePlaces)
}

/** A row of the inbox after it was opened. */
export type OpenInboxRow = InboxContent & { id: string }

/**
 * Splits the inbox by time into batches that each have the orders of `min` different customers.
 * What is left over stays in the inbox; `missing` customers would complete its batch.
 * @param customers the customer of each order; orders of deleted accounts count for none
 */
export function splitInbox(
  rows: readonly OpenInboxRow[],
  customers: ReadonlyMap<string, string>,
  min: number,
): { batches: OpenInboxRow[][]; missing: number } {
  const places = new Map(
    sortChanges(rows.flatMap(({ changes }) => changes)).map(({ id, placeMs }) => [id, placeMs]),
  )
  const placed = rows.map((row) => ({
    row,
    placeMs: Math.max(...row.changes.map(({ id }) => places.get(id) ?? 0)),
    sequence: Math.max(...row.changes.map(({ sequence }) => sequence)),
  }))
  const sorted = placed
    .toSorted((a, b) => a.placeMs - b.placeMs || a.sequence - b.sequence)
    .map(({ row }) => row)
  const batches: OpenInboxRow[][] = []
  let [batch, own]: [OpenInboxRow[], Set<string>] = [[], new Set()]
  for (const row of sorted) {
    batch.push(row)
    for (const orderId of row.orderIds) {
      const customer = customers.get(orderId)
      if (customer !== undefined) own.add(customer)
    }
    if (own.size < min) continue
    batches.push(batch)
    ;[batch, own] = [[], new Set()]
  }
  const missing = min - own.size
  if (keepsSequence([...batches, batch])) return { batches, missing }
  // Rows of the same millisecond, or of clocks that differ, came apart in the wrong order.
  return batches.length > 0 ? { batches: [[...rows]], missing: min } : { batches: [], missing }
}

/** Whether no variant has a change in a batch after one with a later change. */
function keepsSequence(batches: readonly (readonly OpenInboxRow[])[]): boolean {
  const highest = new Map<string, number>()
  for (const batch of batches) {
    const changes = batch.flatMap((row) => row.changes)
    if (changes.some(({ variantId, sequence }) => sequence < (highest.get(variantId) ?? -Infinity)))
      return false
    for (const { variantId, sequence } of changes)
      highest.set(variantId, Math.max(sequence, highest.get(variantId) ?? -Infinity))
  }
  return true
}

const hourMs = 3600_000

/**
 * The time that a batch covers, which is no order's own: in whole hours, and until now at the
 * latest. It never ends before an earlier batch.
 */
export function batchSpan(
  changes: readonly LedgerChange[],
  { now, previousEnd }: { now: Date; previousEnd: Date | null },
): { fromAt: Date; toAt: Date } {
  const times = changes.map(({ at }) => at)
  const [first, last] = times.reduce(
    ([min, max], at) => [Math.min(min, at), Math.max(max, at)],
    [Infinity, -Infinity],
  )
  const hour = (Math.floor(last / hourMs) + 1) * hourMs
  const end = now.getTime() > last ? Math.min(hour, now.getTime()) : hour
  return {
    fromAt: new Date(Math.floor(first / hourMs) * hourMs),
    toAt: new Date(Math.max(end, previousEnd?.getTime() ?? 0)),
  }
}
