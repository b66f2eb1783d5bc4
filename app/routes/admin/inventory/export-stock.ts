import { stockQuerySchema } from '#domain/inventory/inventory-grid.ts'
import { listStock } from '#server/inventory/list-stock.ts'
import { exportLoader } from '../../../http/csv-reply.server.ts'

/** Edited, it can be brought back as an import of stock and prices. */
export const loader = exportLoader({
  name: 'inventory',
  schema: stockQuerySchema,
  list: listStock,
  columns: [
    ['Variant id', (row) => row.id],
    ['Product', (row) => row.productName],
    ['Description', (row) => row.label],
    ['Manufacturer', (row) => row.manufacturerName],
    ['Stock quantity', (row) => row.stockQuantity],
    ['Held for checkouts', (row) => row.reservedQuantity],
    ['Price', (row) => row.price],
    ['Acquisition cost', (row) => row.acquisitionCost],
  ],
})
