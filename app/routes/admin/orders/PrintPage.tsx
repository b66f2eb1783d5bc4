import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { ArrowLeft } from '../../../ui/icons.tsx'
import { PrintButton } from '../../../ui/PrintButton.tsx'
import { Link } from '../../../render/Link.tsx'

type PrintPageProps = { title: string; orderId: string; children: ReactNode }

/** A page to print. The back link and the print button appear on the screen only. */
export function PrintPage({ title, orderId, children }: PrintPageProps) {
  return (
    <>
      <title>{`${title} | Meridian`}</title>
      <div className="mb-4 flex items-center gap-3 print:hidden">
        <Link to={paths.admin.order(orderId)} className="text-link inline-flex items-center gap-1">
          <ArrowLeft className="size-4" /> Order {orderRef(orderId)}
        </Link>
        <PrintButton />
      </div>
      {children}
    </>
  )
}
