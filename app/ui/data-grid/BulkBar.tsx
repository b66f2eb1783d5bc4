import { useEffect, useId, useRef, type ReactNode } from 'react'
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

/** Sticks under a grid while rows are chosen; what became of them stands there until it was read. */
export function BulkBar({ selection, onPage, total, children, results, onDismiss }: BulkBarProps) {
  const { ids, isAll } = selection
  const count = isAll ? total : ids.size
  if (count === 0 && !results) return null
  return (
    <section aria-label="Selected rows" className="bulk-bar" data-told={results ? true : undefined}>
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
      {results ? <Results results={results} isAlone={count === 0} onDismiss={onDismiss} /> : null}
    </section>
  )
}

type ResultsProps = { results: readonly BulkResult[]; isAlone: boolean; onDismiss: () => void }

/** Takes the focus where the button that was pressed is gone. Escape puts it away, and the focus goes to the grid. */
function Results({ results, isAlone, onDismiss }: ResultsProps) {
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    const active = document.activeElement
    if (active === null || active === document.body || active.closest('.bulk-bar')) button.current?.focus()
  }, [])
  const failed = results.filter(({ error }) => error !== null)
  const dismiss = (): void => {
    button.current
      ?.closest('.bulk-bar')
      ?.previousElementSibling?.querySelector<HTMLElement>('td[tabindex="0"]')
      ?.focus()
    onDismiss()
  }
  return (
    <div className={isAlone ? undefined : 'mt-2'}>
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" id={id}>
          {(results.length - failed.length).toLocaleString('en-US')} of{' '}
          {results.length.toLocaleString('en-US')} changed.
        </p>
        <button
          ref={button}
          type="button"
          className="btn btn-ghost"
          aria-describedby={id}
          onClick={dismiss}
          onKeyDown={(event) => {
            if (event.key === 'Escape') dismiss()
          }}
        >
          Dismiss
        </button>
      </div>
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
  )
}
