import { idOfTime } from '#domain/ids.ts'
import type { InventoryTransaction, TransactionType } from '#domain/inventory/inventory.ts'
import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { jsonTextRows } from '../engine/json-rows.ts'
import type { StockChange } from './stock.ts'

export type LedgerEntry = { change: StockChange; transactionType: TransactionType; notes: string | null }

const columns = {
  id: 'text',
  product_variant_id: 'text',
  transaction_type: 'text',
  quantity_change: 'integer',
  quantity_before: 'integer',
  quantity_after: 'integer',
  notes: 'text',
  created_at: 'timestamptz',
} as const

const insert = prepareQuery((db, p: Params<{ rows: string }>) => {
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  const query = sql<never>`insert into inventory_transactions (${names})
    select ${names} from ${jsonTextRows(db, p.rows, columns)}`
  return { compile: () => query.compile(db) }
})

/**
 * Writes stock changes to the ledger, in the transaction that made them. The ids are made from the
 * changes' times, which increase per variant, so a variant's rows ordered by id form one chain.
 */
export async function insertTransactions(
  db: Db,
  entries: readonly LedgerEntry[],
): Promise<InventoryTransaction[]> {
  if (entries.length === 0) return []
  const rows = entries.map(({ change, transactionType, notes }) => ({
    id: idOfTime(change.at.getTime()),
    productVariantId: change.variantId,
    transactionType,
    quantityChange: change.after - change.before,
    quantityBefore: change.before,
    quantityAfter: change.after,
    notes,
    createdAt: change.at,
  }))
  const json = rows.map((row) => ({
    id: row.id,
    product_variant_id: row.productVariantId,
    transaction_type: row.transactionType,
    quantity_change: row.quantityChange,
    quantity_before: row.quantityBefore,
    quantity_after: row.quantityAfter,
    notes: row.notes,
    created_at: row.createdAt,
  }))
  await insert(db, { rows: JSON.stringify(json) })
  return rows
}

const columnNames = [
  'id',
  'productVariantId',
  'transactionType',
  'quantityChange',
  'quantityBefore',
  'quantityAfter',
  'notes',
  'createdAt',
] as const

/** The ledger, newest first: `limit` rows older than `after`, or from the newest. */
export async function listTransactions(
  db: Db,
  { variantId, after, limit }: { variantId: string | null; after: string | null; limit: number },
): Promise<InventoryTransaction[]> {
  return db
    .selectFrom('inventoryTransactions')
    .select(columnNames)
    .$if(variantId !== null, (query) => query.where('productVariantId', '=', variantId ?? ''))
    .$if(after !== null, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** The variant whose stock a row of the ledger is about, or null when there is no such row. */
export async function findTransactionVariant(db: Db, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('inventoryTransactions')
    .select('productVariantId')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.productVariantId ?? null
}
