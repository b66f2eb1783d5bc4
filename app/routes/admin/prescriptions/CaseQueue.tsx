import type { QueuePage, QueueRow } from '#domain/dispensing/case-queue.ts'
import { useEffect, useMemo, useRef, type ComponentProps } from 'react'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { Link } from '../../../render/Link.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { useShortcuts } from '../../../ui/data-grid/shortcuts.ts'
import { GridLink } from '../../../ui/data-grid/GridLink.tsx'
import type { GridUrl } from '../../../ui/data-grid/grid-url.ts'
import { firstNumber, formatRange } from '../../../ui/data-grid/page-range.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ChevronLeft, ChevronRight, CircleCheck } from '../../../ui/icons.tsx'
import { formatDueTime } from './due-time.ts'

type CaseQueueProps = {
  url: GridUrl
  page: QueuePage
  hrefOf: (id: string) => string
  /** The case that was open before: its row takes the focus. */
  returnTo: string | null
  isBusy: boolean
}

/** The cases that wait, those that lapse first on top. Rows are links; j and k go through them. */
export function CaseQueue({ url, page, hrefOf, returnTo, isBusy }: CaseQueueProps) {
  const list = useRef<HTMLOListElement>(null)
  useShortcuts(
    useMemo(
      () => [
        { keys: 'j', label: 'Next case', run: () => moveFocus(list.current, 1) },
        { keys: 'k', label: 'Previous case', run: () => moveFocus(list.current, -1) },
        { keys: 'arrowdown', label: 'Next case', run: () => moveFocus(list.current, 1) },
        { keys: 'arrowup', label: 'Previous case', run: () => moveFocus(list.current, -1) },
        { keys: 'enter', label: 'Open the case', run: () => openFocused(list.current) },
      ],
      [],
    ),
  )
  useEffect(() => {
    if (returnTo !== null) document.getElementById(`case-${returnTo}`)?.focus()
  }, [returnTo])
  return (
    <section aria-label="Queue" className="min-w-0" aria-busy={isBusy}>
      {page.rows.length > 0 ? (
        <ol ref={list} className="card">
          {page.rows.map((row) => (
            <li key={row.id} className="border-b border-line last:border-0">
              <Link
                id={`case-${row.id}`}
                to={hrefOf(row.id)}
                defaultShouldRevalidate={false}
                className="grid gap-x-4 gap-y-1 px-3 py-2 hover:bg-base-200 focus-visible:bg-base-200 focus-visible:-outline-offset-2 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_minmax(0,2fr)]"
              >
                <QueueEntry row={row} />
              </Link>
            </li>
          ))}
        </ol>
      ) : (
        <EmptyState icon={<CircleCheck />} title="Nothing to review">
          New prescriptions and orders appear here as soon as customers send them.
        </EmptyState>
      )}
      <nav aria-label="Pages" className="mt-2 flex items-center">
        <p className="me-auto tabular-nums" aria-live="polite">
          {formatRange(page, firstNumber(page))}
        </p>
        {page.previous === null ? null : (
          <PageLink url={url} label="Previous page" change={{ before: page.previous, id: null }}>
            <ChevronLeft />
          </PageLink>
        )}
        {page.next === null ? null : (
          <PageLink url={url} label="Next page" change={{ after: page.next, id: null }}>
            <ChevronRight />
          </PageLink>
        )}
      </nav>
    </section>
  )
}

/** Focuses the next or previous case; from elsewhere, the first or last one. */
function moveFocus(list: HTMLOListElement | null, by: 1 | -1): void {
  const links = [...(list?.querySelectorAll('a') ?? [])]
  const at = links.findIndex((link) => link === document.activeElement)
  links[at === -1 ? (by === 1 ? 0 : links.length - 1) : at + by]?.focus()
}

/** Enter on anything but a control opens the first case. */
function openFocused(list: HTMLOListElement | null): void {
  const active = document.activeElement
  if (active instanceof HTMLElement && active.matches('a, button, input, summary')) active.click()
  else list?.querySelector('a')?.click()
}

type PageLinkProps = Pick<ComponentProps<typeof GridLink>, 'url' | 'change' | 'children'> & { label: string }

const PageLink = ({ label, ...rest }: PageLinkProps) => (
  <GridLink {...rest} className="btn btn-ghost btn-square" aria-label={label} />
)

const QueueEntry = ({ row }: { row: QueueRow }) => (
  <>
    <span className="min-w-0">
      <b className="block wrap-anywhere">{row.patientName}</b>
      {row.accountName === null ? null : (
        <span className="block text-muted wrap-anywhere">Account of {row.accountName}</span>
      )}
      <span className="text-muted tabular-nums">
        {row.rxNumbers.join(', ')} ·{' '}
        <time dateTime={row.receivedAt} title={formatDay(row.receivedAt)}>
          {ageText(row)}
        </time>
      </span>
    </span>
    <span className="min-w-0 wrap-anywhere">
      {row.medicines.length > 0 ? row.medicines.join(', ') : 'Prescription without an order'}
      {row.destination ? (
        <span className="block text-muted">
          {[row.destination.state, row.destination.country].filter(Boolean).join(', ')}
          {row.destination.isServed ? '' : ', not served'}
        </span>
      ) : null}
    </span>
    <span className="flex flex-wrap content-start gap-1">
      <QueueBadges row={row} />
    </span>
  </>
)

const QueueBadges = ({ row }: { row: QueueRow }) => (
  <>
    {row.isCaptureRefused ? <Badge tone="error">Capture refused</Badge> : null}
    {row.captureBefore ? (
      <Badge tone={row.isDue ? 'warning' : 'neutral'}>Capture due {formatDueTime(row.captureBefore)}</Badge>
    ) : null}
    {row.lines.waiting > 0 ? <Badge tone="primary">{countLines(row.lines.waiting)} to decide</Badge> : null}
    {row.unchecked > 0 ? <Badge tone="primary">{countLines(row.unchecked)} for a second check</Badge> : null}
    {row.question === 'asked' || row.lines.asked > 0 ? <Badge>Waiting for the customer</Badge> : null}
    {row.question === 'answered' ? <Badge tone="accent">Answered</Badge> : null}
    {row.hasDraft ? <Badge>Your draft</Badge> : null}
    {row.viewers.length > 0 ? <Badge tone="warning">{row.viewers.join(', ')}</Badge> : null}
  </>
)

const countLines = (count: number): string => `${count} ${count === 1 ? 'line' : 'lines'}`

const ageText = ({ daysWaiting }: QueueRow): string => (daysWaiting === 0 ? 'today' : `${daysWaiting} d`)
