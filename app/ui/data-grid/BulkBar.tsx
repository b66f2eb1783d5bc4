import type { ReactNode } from 'react'
import type { Selection } from './use-selection.ts'

/** What became of one row of a bulk change. */
export type BulkResult = { id: string; name: string; error: string | null }

type BulkBarProps = {
  selection: Selection
  /** How many rows this page has, and how many match on all pages. */
  onPage: number
  total: number
  /** What can be done with what is chosen. */
  children: ReactNode
  /** What became of each row the last time; null before. */
  results: readonly BulkResult[] | null
  onDismiss: () => void
}

/** Sticks under a grid while rows are chosen, or until what became of them was read. */
export function BulkBar({ selection, onPage, total, children, results, onDismiss }: BulkBarProps) {
  const { ids, isAll } = selection
  const count = isAll ? total : ids.size
  if (count === 0 && !results) return null
  const failed = results?.filter(({ error }) => error !== null) ?? []
  return (
    <section aria-label="Selected rows" className="bulk-bar">
      {count > 0 ? (
        <div className="flex flex-wrap items-center gap-3">
          <p aria-live="polite">
            <b>{count.toLocaleString('en-US')}</b> selected
          </p>
          {!isAll && ids.size >= onPage && total > ids.size ? (
            <button type="button" className="text-link" onClick={selection.chooseAll}>
              Select all {total.toLocaleString('en-US')} that match
            </button>
          ) : null}
          {children}
          <button type="button" className="btn btn-ghost ms-auto" onClick={selection.clear}>
            Clear selection
          </button>
        </div>
      ) : null}
      {results ? (
        <div role="status" className="mt-2 flex items-start gap-3">
          <div>
            <p>
              {results.length - failed.length} of {results.length} changed.
            </p>
            {failed.length > 0 ? (
              <ul className="mt-1 max-h-40 overflow-y-auto text-error">
                {failed.map(({ id, name, error }) => (
                  <li key={id}>
                    <b>{name}</b>: {error}
                  </li>
                ))}
              </ul>
            ) : null}
          </div>
          <button type="button" className="btn btn-ghost ms-auto" onClick={onDismiss}>
            Dismiss
          </button>
        </div>
      ) : null}
    </section>
  )
}
