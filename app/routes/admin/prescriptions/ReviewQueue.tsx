import type { GridPage } from '#domain/grid.ts'
import type { ReviewRow } from '#domain/prescription-review.ts'
import { useEffect, useMemo, useRef } from 'react'
import { PrescriptionStatusBadge } from '../../../components/PrescriptionStatusBadge.tsx'
import { dayOf } from '../../../components/orders/shown-order.ts'
import type { GridUrl } from '../../../lib/grid-url.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { GridPager } from '../../../ui/data-grid/GridPager.tsx'
import { Link } from '../../../ui/Link.tsx'

type ReviewQueueProps = {
  url: GridUrl
  page: GridPage<ReviewRow>
  shownId: string | null
  hrefOf: (id: string) => string
  isBusy: boolean
}

/** The queue itself: whose, since when, and what hangs on it. */
export function ReviewQueue({ url, page, shownId, hrefOf, isBusy }: ReviewQueueProps) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [shownId])
  // Another page of the queue begins with its first.
  const pages = useMemo(
    () => ({
      ...url,
      hrefOf: (change: Parameters<GridUrl['hrefOf']>[0]) => url.hrefOf({ id: null, ...change }),
      go: (change: Parameters<GridUrl['hrefOf']>[0]) => url.go({ id: null, ...change }),
    }),
    [url],
  )
  return (
    <section aria-label="Queue" className="min-w-0" aria-busy={isBusy}>
      {page.rows.length > 0 ? (
        <ol ref={list} className="card max-h-56 overflow-y-auto lg:max-h-[calc(100dvh-12rem)]">
          {page.rows.map((row) => (
            <li key={row.id} className="border-b border-line last:border-0">
              <Link
                to={hrefOf(row.id)}
                preventScrollReset
                defaultShouldRevalidate={false}
                aria-current={row.id === shownId ? 'true' : undefined}
                className="block px-3 py-2 hover:bg-base-200 aria-[current]:bg-base-300"
              >
                <QueueEntry row={row} />
              </Link>
            </li>
          ))}
        </ol>
      ) : (
        <p className="card px-3 py-6 text-center text-muted">None.</p>
      )}
      <div className="mt-2">
        <GridPager url={pages} page={page} />
      </div>
    </section>
  )
}

const QueueEntry = ({ row }: { row: ReviewRow }) => (
  <>
    <span className="flex items-baseline gap-2">
      <b className="min-w-0 flex-1 truncate">{row.patientName}</b>
      <time dateTime={row.uploadedAt} title={dayOf(row.uploadedAt)} className="text-muted tabular-nums">
        {row.daysWaiting === 0 ? 'today' : `${row.daysWaiting} d`}
      </time>
    </span>
    <span className="mt-1 flex flex-wrap gap-1">
      {row.status === 'under_review' ? null : <PrescriptionStatusBadge status={row.status} />}
      {row.waitingOrders > 0 ? (
        <Badge tone="primary">
          {row.waitingOrders === 1 ? '1 order waits' : `${row.waitingOrders} orders wait`}
        </Badge>
      ) : null}
      {row.question === 'asked' ? <Badge>Asked</Badge> : null}
      {row.question === 'answered' ? <Badge tone="accent">Answered</Badge> : null}
    </span>
  </>
)
