import { pharmacyQuerySchema } from '#domain/partners/pharmacy-fields.ts'
import { listPharmaciesPage } from '#server/partners/save-pharmacy.ts'
import { exportLoader } from '../../../http/csv-reply.server.ts'

export const loader = exportLoader('pharmacies.write', {
  name: 'pharmacies',
  schema: pharmacyQuerySchema,
  list: listPharmaciesPage,
  columns: [
    ['ID', (row) => row.id],
    ['Name', (row) => row.name],
    ['Country', (row) => row.country],
    ['License number', (row) => row.licenseNumber],
    ['License expiry', (row) => row.licenseExpiry],
    ['Ships to', (row) => row.shipsTo.join(', ')],
    ['Address', (row) => row.address?.replaceAll('\n', ', ') ?? ''],
    ['Phone', (row) => row.phone ?? ''],
    ['Active', (row) => (row.active ? 'yes' : 'no')],
    ['Products', (row) => row.productCount],
  ],
})
