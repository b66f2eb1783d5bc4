import { productQuerySchema } from '#domain/catalog/variant-grid.ts'
import { listAdminProducts } from '#server/catalog/list-admin-catalog.ts'
import { exportLoader } from '../../../../http/csv-reply.server.ts'

export const loader = exportLoader('catalog.write', {
  name: 'products',
  schema: productQuerySchema,
  list: listAdminProducts,
  columns: [
    ['Product ID', (row) => row.id],
    ['Name', (row) => row.name],
    ['Category', (row) => row.category],
    ['Description', (row) => row.description],
    ['Controlled schedule', (row) => row.controlledSchedule],
    ['Variants', (row) => row.variantCount],
    ['In stock', (row) => (row.inStock ? 'yes' : 'no')],
    ['Lowest price', (row) => row.priceMin],
    ['Highest price', (row) => row.priceMax],
  ],
})
