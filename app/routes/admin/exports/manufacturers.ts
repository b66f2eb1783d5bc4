import { manufacturerQuerySchema, type ManufacturerRow } from '#domain/manufacturer-fields.ts'
import { listManufacturersPage } from '#server/catalog/edit-manufacturer.ts'
import { exportGrid, type ExportColumn } from '#server/grids/export-grid.ts'
import { adminLoader, gridParamsOf } from '../../../lib/admin-loader.server.ts'
import { csvReply } from '../../../lib/csv-reply.server.ts'
import type { Route } from './+types/manufacturers'

const columns: readonly ExportColumn<ManufacturerRow>[] = [
  ['Id', (row) => row.id],
  ['Name', (row) => row.name],
  ['Street address', (row) => row.streetAddress],
  ['City', (row) => row.city],
  ['State/Province', (row) => row.stateProvince],
  ['Country', (row) => row.country],
  ['Postal code', (row) => row.postalCode],
  ['Variants', (row) => row.variantCount],
]

export const loader = adminLoader(async (ctx, args: Route.LoaderArgs) => {
  const query = manufacturerQuerySchema.parse(gridParamsOf(args))
  return csvReply(
    ctx,
    'manufacturers',
    exportGrid(query, columns, (query) => listManufacturersPage(ctx, query)),
  )
})
