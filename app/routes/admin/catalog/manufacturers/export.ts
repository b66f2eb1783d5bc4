import { manufacturerQuerySchema } from '#domain/catalog/manufacturer-fields.ts'
import { listAdminManufacturers } from '#server/catalog/save-manufacturer.ts'
import { exportLoader } from '../../../../http/csv-reply.server.ts'

export const loader = exportLoader('catalog.write', {
  name: 'manufacturers',
  schema: manufacturerQuerySchema,
  list: listAdminManufacturers,
  columns: [
    ['ID', (row) => row.id],
    ['Name', (row) => row.name],
    ['Street address', (row) => row.streetAddress],
    ['City', (row) => row.city],
    ['State/Province', (row) => row.stateProvince],
    ['Country', (row) => row.country],
    ['Postal code', (row) => row.postalCode],
    ['Variants', (row) => row.variantCount],
  ],
})
