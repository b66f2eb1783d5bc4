import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { Button } from '../../../ui/Button.tsx'
import { ArrowLeft, Printer } from '../../../ui/icons.tsx'
import { Link } from '../../../render/Link.tsx'
import { useHydrated } from '../../../ui/use-hydrated.ts'

type PrintPageProps = { title: string; orderId: string; children: ReactNode }

/** A page to print. The back link and the print button appear on the screen only. */
export function PrintPage({ title, orderId, children }: PrintPageProps) {
  const hydrated = useHydrated()
  return (
    <>
      <title>{`${title} | Meridian`}</title>
      <div className="mb-4 flex items-center gap-3 print:hidden">
        <Link to={paths.admin.order(orderId)} className="text-link inline-flex items-center gap-1">
          <ArrowLeft className="size-4" /> Order {orderRef(orderId)}
        </Link>
        <Button
          type="button"
          kind="primary"
          className="ms-auto noscript:hidden"
          disabled={!hydrated}
          onClick={() => window.print()}
        >
          <Printer /> Print
        </Button>
      </div>
      {children}
    </>
  )
}
