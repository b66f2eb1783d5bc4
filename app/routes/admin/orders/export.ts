import { orderQuerySchema } from '#domain/orders/admin-orders.ts'
import { paymentLabels } from '#domain/orders/payment-hold.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { listAdminOrders } from '#server/orders/list-admin-orders.ts'
import { redirect } from 'react-router'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { exportAction } from '../../../http/csv-reply.server.ts'

/** The export is a POST: a search for a customer must not appear in a URL. */
export const loader = adminLoader('customers.export', async () => redirect(adminPaths.orders))

export const action = exportAction(adminPaths.orders, {
  name: 'orders',
  schema: orderQuerySchema,
  list: listAdminOrders,
  columns: [
    ['Order ID', (row) => row.id],
    ['Placed', (row) => row.createdAt],
    ['Customer', (row) => row.customerName],
    ['Email', (row) => row.customerEmail],
    ['Units', (row) => row.itemCount],
    ['Total', (row) => row.total],
    ['Payment', (row) => paymentLabels[row.payment]],
    ['Captured', (row) => row.captured],
    ['Refunded', (row) => row.refunded],
    ['Status', (row) => row.status],
    ['Prescription', (row) => row.prescription],
  ],
})
