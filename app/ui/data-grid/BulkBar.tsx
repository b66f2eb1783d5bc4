import { formatTotal } from '#domain/grid-total.ts'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import type { Selection } from './use-selection.ts'

/**
 * The outcome of a bulk change for one row. A row without an error that is not changed was as
 * requested already.
 */
export type BulkResult = { id: string; name: string; error: string | null; isChanged: boolean }

type BulkBarProps = {
  selection: Selection
  /** The number of rows on this page, and of all that match. */
  onPage: number
  total: number
  /** The actions for the selected rows. */
  children: ReactNode
  /** The outcomes of the last change, or why the whole change failed; null before one. */
  results: readonly BulkResult[] | string | null
  onDismiss: () => void
}

/**
 * Sticks below a grid while rows are selected, and shows the outcomes of a change until dismissed.
 */
export function BulkBar({ selection, onPage, total, children, results, onDismiss }: BulkBarProps) {
  const { ids, isAll } = selection
  const count = isAll ? total : ids.size
  if (count === 0 && !results) return null
  return (
    <section
      aria-label="Selected rows"
      className="bulk-bar print:hidden"
      data-results={results ? true : undefined}
    >
      {count > 0 ? (
        <div className="flex flex-wrap items-center gap-3">
          <p aria-live="polite">
            <b>{formatTotal(count)}</b> selected
          </p>
          {!isAll && ids.size >= onPage && total > ids.size ? (
            <button type="button" className="text-link" onClick={selection.selectAll}>
              Select all {formatTotal(total)} that match
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

const count = (number: number): string => number.toLocaleString('en-US')

/** "97 of 100 changed. 2 needed no change." */
export function describeResults(results: readonly BulkResult[]): string {
  const changed = results.filter(({ isChanged }) => isChanged).length
  const unneeded = results.filter(({ isChanged, error }) => !isChanged && error === null).length
  const text = `${count(changed)} of ${count(results.length)} changed.`
  return unneeded === 0 ? text : `${text} ${count(unneeded)} needed no change.`
}

type ResultsProps = { results: readonly BulkResult[] | string; isAlone: boolean; onDismiss: () => void }

/**
 * Takes the focus if the pressed button is gone. Escape dismisses it and returns the focus to the
 * grid.
 */
function Results({ results, isAlone, onDismiss }: ResultsProps) {
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    const active = document.activeElement
    if (active === null || active === document.body || active.closest('.bulk-bar')) button.current?.focus()
  }, [])
  const isProblem = typeof results === 'string'
  const failed = isProblem ? [] : results.filter(({ error }) => error !== null)
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
        <p role="status" id={id} className={isProblem ? 'font-medium text-error' : undefined}>
          {isProblem ? results : describeResults(results)}
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
