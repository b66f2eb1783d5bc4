import type { InventoryTransaction } from '#domain/inventory/inventory.ts'

/**
 * The first stock of a variant, in plaintext. Before migration 0027, this was the whole ledger: at
 * its start, the shop moves the other rows to the tables below.
 */
export type InventoryTransactionsTable = InventoryTransaction

/** Changes of the stock that are in no batch yet: those of one order, or of one edit. */
export type LedgerInboxTable = {
  /** Random, so that it says nothing about the time. */
  id: string
  /** `InboxContent` as JSON, sealed under the shop's key. */
  sealedChanges: string
}

/** A closed part of the ledger, with the orders of many customers. Ordered by id. */
export type LedgerBatchesTable = {
  id: string
  /** Its changes were made between these times, which are no order's own. */
  fromAt: Date
  toAt: Date
  /** The units that its orders sold, by variant, as JSON, sealed under the shop's key. */
  sealedSums: string
}

/** A change of the stock in a closed batch. */
export type LedgerRowsTable = {
  /** Random, so that it says nothing about the order of the rows. */
  id: string
  batchId: string
  /** Blind index of the variant's id. */
  variantHash: string
  /** `LedgerChange` as JSON, sealed under the shop's key. */
  sealedRow: string
}
