import { stockQuerySchema } from '#domain/inventory/inventory-grid.ts'
import { listStock } from '#server/inventory/list-stock.ts'
import { exportLoader } from '../../../http/csv-reply.server.ts'

/** An edited export can be imported again to update stock and prices. */
export const loader = exportLoader('stock.read', {
  name: 'inventory',
  schema: stockQuerySchema,
  list: listStock,
  columns: [
    ['Variant ID', (row) => row.id],
    ['Product', (row) => row.productName],
    ['Description', (row) => row.label],
    ['Manufacturer', (row) => row.manufacturerName],
    ['Stock quantity', (row) => row.stockQuantity],
    ['Reserved', (row) => row.reservedQuantity],
    ['Price', (row) => row.price],
    ['Acquisition cost', (row) => row.acquisitionCost],
  ],
})
