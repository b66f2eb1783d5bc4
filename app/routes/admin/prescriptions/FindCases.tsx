import type { FoundCase, FoundCases } from '#domain/dispensing/case-queue.ts'
import { caseBounds } from '#domain/dispensing/review-case.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { useMemo, useRef, useState } from 'react'
import { OrderStatusBadge } from '../../../components/orders/OrderStatusBadge.tsx'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
import { PrescriptionStatusBadge } from '../../../components/PrescriptionStatusBadge.tsx'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { Link } from '../../../render/Link.tsx'
import { Button } from '../../../ui/Button.tsx'
import { useShortcuts } from '../../../ui/data-grid/shortcuts.ts'
import { Field } from '../../../ui/Field.tsx'

/** A search with what it found; null results while nothing was searched for. */
export type CaseSearch = { typed: string; found: FoundCases | null; error: string | null }
export const noSearch: CaseSearch = { typed: '', found: null, error: null }

/**
 * Finds decided cases too. What is typed can be a name, so it is posted and never in a URL.
 * @param search kept by the page, so that it is still there after a case was opened
 * @param onExact opens the only case with a typed number
 */
export function FindCases({
  search,
  setSearch,
  onExact,
}: {
  search: CaseSearch
  setSearch: (search: CaseSearch) => void
  onExact: (id: string) => void
}) {
  const { client } = trpc.useUtils()
  const [isBusy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useShortcuts(
    useMemo(() => [{ keys: '/', label: 'Find a prescription', run: () => input.current?.focus() }], []),
  )
  const find = async (typed: string): Promise<void> => {
    setBusy(true)
    try {
      const found = await client.cases.find.query({ search: typed })
      const [first] = found.rows
      if (first && found.isNumber && found.rows.length === 1) onExact(first.id)
      else setSearch({ typed, found, error: null })
    } catch (error) {
      const { fields, message } = toCallFailure(error)
      setSearch({ typed, found: null, error: fields['search'] ?? message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label="Find" className="mb-3">
      <form
        role="search"
        method="post"
        action={adminPaths.prescriptions}
        noValidate
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void find(input.current?.value ?? '')
        }}
      >
        <input type="hidden" name="intent" value="find" />
        <Field
          ref={input}
          label="Find by Rx number, order number or customer"
          type="search"
          name="search"
          className="w-full max-w-96"
          maxLength={caseBounds.search}
          autoComplete="off"
          defaultValue={search.typed}
          error={search.error ?? undefined}
        />
        <Button disabled={isBusy} className={search.error ? 'self-center' : ''}>
          Find
        </Button>
      </form>
      {search.found ? (
        <Found
          found={search.found}
          typed={search.typed}
          onClose={() => {
            setSearch(noSearch)
            if (input.current) input.current.value = ''
          }}
        />
      ) : null}
    </section>
  )
}

function Found({
  found: { rows },
  typed,
  onClose,
}: {
  found: FoundCases
  typed: string
  onClose: () => void
}) {
  return (
    <section aria-label="Found" className="mt-3">
      <div className="mb-2 flex flex-wrap items-center gap-x-4">
        <h2 role="status" className="wrap-anywhere">
          {rows.length === 0 ? 'No prescription or order matches' : 'Found for'} “{typed}”
        </h2>
        <Link
          to={adminPaths.prescriptions}
          className="text-link"
          onClick={(event) => {
            event.preventDefault()
            onClose()
          }}
        >
          Close
        </Link>
      </div>
      {rows.length > 0 ? (
        <ol className="card">
          {rows.map((row) => (
            <li key={row.id} className="border-b border-line last:border-0">
              <Link
                to={adminPaths.prescriptionsWith({ id: row.id })}
                defaultShouldRevalidate={false}
                className="grid gap-x-4 gap-y-1 px-3 py-2 hover:bg-base-200 focus-visible:bg-base-200 focus-visible:-outline-offset-2 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_minmax(0,2fr)]"
              >
                <FoundEntry row={row} />
              </Link>
            </li>
          ))}
        </ol>
      ) : null}
    </section>
  )
}

const FoundEntry = ({ row }: { row: FoundCase }) => (
  <>
    <span className="min-w-0">
      <b className="block wrap-anywhere">{row.patientName}</b>
      {row.accountName === null ? null : (
        <span className="block text-muted wrap-anywhere">Account of {row.accountName}</span>
      )}
      <span className="text-muted tabular-nums">
        {row.rxNumbers.join(', ')} {row.rxNumbers.length > 0 ? '· ' : ''}
        {formatDay(row.receivedAt)}
      </span>
    </span>
    <span className="min-w-0 wrap-anywhere">
      {row.kind === 'order' ? (
        <>
          {row.medicines.join(', ')}
          <span className="block text-muted">Order {orderRef(row.id)}</span>
        </>
      ) : (
        'Prescription'
      )}
    </span>
    <span className="flex flex-wrap content-start items-center gap-x-2 gap-y-1">
      {row.status.kind === 'order' ? (
        <OrderStatusBadge status={row.status.is} />
      ) : (
        <PrescriptionStatusBadge status={row.status.is} />
      )}
      <span className="text-muted">{decisionText(row)}</span>
    </span>
  </>
)

/** "1 cleared, 1 refused, by Amara Diallo". */
function decisionText({ lines, decidedBy }: FoundCase): string {
  const counts = Object.entries(lines ?? {}).flatMap(([status, count]) =>
    count > 0 ? [`${count} ${status}`] : [],
  )
  const by = decidedBy.length > 0 ? `by ${decidedBy.join(', ')}` : ''
  return [...counts, by].filter(Boolean).join(', ')
}
