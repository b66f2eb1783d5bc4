import { adminPaths } from '#domain/admin-paths.ts'
import type { ReactNode } from 'react'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { PrintButton } from '../../../ui/PrintButton.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'

type PrintPageProps = { title: string; orderId: string; children: ReactNode }

/** A page to print. The back link, title and print button appear on the screen only. */
export const PrintPage = ({ title, orderId, children }: PrintPageProps) => (
  <AdminPage
    title={title}
    back={{ to: adminPaths.order(orderId), label: `Order ${orderRef(orderId)}` }}
    actions={<PrintButton />}
    prints
  >
    {children}
  </AdminPage>
)
