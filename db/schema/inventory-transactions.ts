import type { InventoryTransaction } from '#domain/inventory/inventory.ts'

/** The stock ledger: one chain per variant, in the order of the ids. */
export type InventoryTransactionsTable = InventoryTransaction
