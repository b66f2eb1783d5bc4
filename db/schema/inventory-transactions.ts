import type { InventoryTransaction } from '#domain/inventory/inventory.ts'

/** The stock ledger: per variant one chain in the order of the ids. */
export type InventoryTransactionsTable = InventoryTransaction
