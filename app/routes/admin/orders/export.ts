import { orderQuerySchema } from '#domain/orders/admin-orders.ts'
import { listForDesk } from '#server/orders/list-admin-orders.ts'
import { redirect } from 'react-router'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { exportAction } from '../../../http/csv-reply.server.ts'

/** A form asks for it: whom one searches for stands in no address. */
export const loader = adminLoader(async () => redirect('/admin/orders'))

export const action = exportAction({
  name: 'orders',
  schema: orderQuerySchema,
  list: listForDesk,
  columns: [
    ['Order id', (row) => row.id],
    ['Ordered', (row) => row.createdAt],
    ['Customer', (row) => row.customerName],
    ['Email', (row) => row.customerEmail],
    ['Pieces', (row) => row.itemCount],
    ['Total', (row) => row.total],
    ['Refunded', (row) => row.refunded],
    ['Status', (row) => row.status],
    ['Prescription', (row) => row.prescription],
  ],
})
