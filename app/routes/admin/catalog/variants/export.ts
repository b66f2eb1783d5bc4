import { variantQuerySchema } from '#domain/catalog/variant-grid.ts'
import { listAdminVariants } from '#server/catalog/list-admin-catalog.ts'
import { exportLoader } from '../../../../http/csv-reply.server.ts'

/**
 * The headers are those that the import recognizes: an exported file can be edited and imported
 * again.
 */
export const loader = exportLoader('catalog.write', {
  name: 'variants',
  schema: variantQuerySchema,
  list: listAdminVariants,
  columns: [
    ['Variant ID', (row) => row.id],
    ['Product', (row) => row.productName],
    ['Category', (row) => row.category],
    ['Brand name', (row) => row.brandName],
    ['Manufacturer', (row) => row.manufacturerName],
    ['Dosage form', (row) => row.dosageForm],
    ['Strength', (row) => row.strength],
    ['Strength unit', (row) => row.strengthUnit],
    ['Package size', (row) => row.packageSize],
    ['Package unit', (row) => row.packageUnit],
    ['Price', (row) => row.price],
    ['Acquisition cost', (row) => row.acquisitionCost],
    ['Stock quantity', (row) => row.stockQuantity],
    ['In stock', (row) => yesOrNo(row.inStock)],
    ['Track inventory', (row) => yesOrNo(row.trackInventory)],
    ['SKU', (row) => row.sku],
    ['NDC', (row) => row.ndc],
    ['DIN', (row) => row.din],
    ['UPC', (row) => row.upc],
    ['Linked variant', (row) => row.linkedVariantId],
  ],
})

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no')
