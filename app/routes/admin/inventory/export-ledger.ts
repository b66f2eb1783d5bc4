import { historyQuerySchema } from '#domain/inventory/inventory-grid.ts'
import { listHistory } from '#server/inventory/list-history.ts'
import { exportLoader } from '../../../http/csv-reply.server.ts'

export const loader = exportLoader('stock.read', {
  name: 'ledger',
  schema: historyQuerySchema,
  list: listHistory,
  columns: [
    ['Time', (row) => row.createdAt],
    ['Variant ID', (row) => row.productVariantId],
    ['Product', (row) => row.productName],
    ['Description', (row) => row.label],
    ['Type', (row) => row.transactionType],
    ['Change', (row) => row.quantityChange],
    ['Before', (row) => row.quantityBefore],
    ['After', (row) => row.quantityAfter],
    ['Notes', (row) => row.notes],
  ],
})
