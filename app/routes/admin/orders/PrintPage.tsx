import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { PrintButton } from '../../../ui/PrintButton.tsx'
import { BackLink } from '../frame/BackLink.tsx'

type PrintPageProps = { title: string; orderId: string; children: ReactNode }

/** A page to print. The back link and the print button appear on the screen only. */
export function PrintPage({ title, orderId, children }: PrintPageProps) {
  return (
    <>
      <title>{`${title} | Meridian`}</title>
      <div className="mb-4 flex items-center gap-3 print:hidden">
        <BackLink to={paths.admin.order(orderId)}>Order {orderRef(orderId)}</BackLink>
        <PrintButton />
      </div>
      {children}
    </>
  )
}
