import type { GridPage } from '#domain/grid.ts'
import type { ReviewRow } from '#domain/prescriptions/prescription-review.ts'
import { useEffect, useRef, type ReactNode } from 'react'
import { PrescriptionStatusBadge } from '../../../components/PrescriptionStatusBadge.tsx'
import { formatDay } from '../../../components/orders/order-labels.ts'
import type { GridUrl } from '../../../ui/data-grid/grid-url.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { ChevronLeft, ChevronRight } from '../../../ui/icons.tsx'
import { Link } from '../../../render/Link.tsx'

type ReviewQueueProps = {
  url: GridUrl
  page: GridPage<ReviewRow>
  selectedId: string | null
  hrefOf: (id: string) => string
  isBusy: boolean
}

/** The queue: each patient, how long they have waited, and which orders depend on it. */
export function ReviewQueue({ url, page, selectedId, hrefOf, isBusy }: ReviewQueueProps) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [selectedId])
  return (
    <section aria-label="Queue" className="min-w-0" aria-busy={isBusy}>
      {page.rows.length > 0 ? (
        <ol ref={list} className="card max-h-44 overflow-y-auto lg:max-h-[calc(100dvh-12rem)]">
          {page.rows.map((row) => (
            <li key={row.id} className="border-b border-line last:border-0">
              <Link
                to={hrefOf(row.id)}
                preventScrollReset
                defaultShouldRevalidate={false}
                aria-current={row.id === selectedId ? 'true' : undefined}
                className="block px-3 py-2 hover:bg-base-200 focus-visible:-outline-offset-2 aria-[current]:bg-base-300"
              >
                <QueueEntry row={row} />
              </Link>
            </li>
          ))}
        </ol>
      ) : (
        <p className="card px-3 py-6 text-center text-muted">No prescriptions.</p>
      )}
      <nav aria-label="Pages" className="mt-2 flex items-center">
        <p className="me-auto tabular-nums" aria-live="polite">
          {page.rows.length.toLocaleString('en-US')} of {page.total.toLocaleString('en-US')}
        </p>
        {page.previous === null ? null : (
          <PageLink label="Previous page" to={url.hrefOf({ before: page.previous, id: null })}>
            <ChevronLeft />
          </PageLink>
        )}
        {page.next === null ? null : (
          <PageLink label="Next page" to={url.hrefOf({ after: page.next, id: null })}>
            <ChevronRight />
          </PageLink>
        )}
      </nav>
    </section>
  )
}

const PageLink = ({ label, to, children }: { label: string; to: string; children: ReactNode }) => (
  <Link to={to} defaultShouldRevalidate={false} className="btn btn-ghost btn-square" aria-label={label}>
    {children}
  </Link>
)

const QueueEntry = ({ row }: { row: ReviewRow }) => (
  <>
    <span className="flex items-baseline gap-2">
      <b className="min-w-0 flex-1 truncate">{row.patientName}</b>
      <time dateTime={row.uploadedAt} title={formatDay(row.uploadedAt)} className="text-muted tabular-nums">
        {row.daysWaiting === 0 ? 'today' : `${row.daysWaiting} d`}
      </time>
    </span>
    <span className="mt-1 flex flex-wrap gap-1">
      {row.status === 'under_review' ? null : <PrescriptionStatusBadge status={row.status} />}
      {row.waitingOrders > 0 ? (
        <Badge tone="primary">
          {row.waitingOrders === 1 ? '1 order waiting' : `${row.waitingOrders} orders waiting`}
        </Badge>
      ) : null}
      {row.question === 'asked' ? <Badge>Asked</Badge> : null}
      {row.question === 'answered' ? <Badge tone="accent">Answered</Badge> : null}
    </span>
  </>
)
