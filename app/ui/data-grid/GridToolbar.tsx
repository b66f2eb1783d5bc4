import { useCallback, useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react'
import { Columns3, Download } from '../admin-icons.tsx'
import { Printer } from '../icons.tsx'
import { useHydrated } from '../use-hydrated.ts'
import type { GridColumn } from './grid-types.ts'
import type { GridUrl } from './grid-url.ts'
import { useShortcuts } from './shortcuts.ts'

/** How long a pause in typing starts the search. */
const searchDelayMs = 120

type GridToolbarProps<Row> = {
  url: GridUrl
  /** The label of the search field; without it there is no search. */
  searchLabel?: string
  /** Beside the search: the filters. */
  filters?: ReactNode
  /** The path of the CSV export: all pages, with the search and the filters. */
  exportPath?: string
  /** At the end: the page's main actions. */
  actions?: ReactNode
  columns: readonly GridColumn<Row>[]
  hidden: readonly string[]
  onHide: (columns: string[]) => void
}

/** The toolbar above a grid: search as you type, filters, visible columns, print, export. */
export function GridToolbar<Row>({
  url,
  searchLabel,
  filters,
  exportPath,
  actions,
  columns,
  hidden,
  onHide,
}: GridToolbarProps<Row>) {
  const hydrated = useHydrated()
  return (
    <div className="flex flex-wrap items-end gap-2 print:hidden">
      {searchLabel ? <GridSearch url={url} label={searchLabel} /> : null}
      {filters}
      <div className="ms-auto flex flex-wrap items-center gap-2">
        {/* Rendered from the first paint on, or hydration would shift everything below. */}
        <fieldset role="none" disabled={!hydrated} className="contents noscript:hidden">
          <ColumnChoice columns={columns} hidden={hidden} onHide={onHide} />
          <button type="button" className="btn btn-ghost" onClick={() => window.print()}>
            <Printer /> Print
          </button>
        </fieldset>
        {exportPath ? <ExportLink url={url} path={exportPath} /> : null}
        {actions}
      </div>
    </div>
  )
}

/** A plain link to the file, or a form when the search is private. */
function ExportLink({ url, path }: { url: GridUrl; path: string }) {
  const otherParams = Object.entries(url.params).filter(([name]) => !notExported.includes(name))
  const label = (
    <>
      <Download /> Export CSV
    </>
  )
  if (!url.isPrivate) {
    return (
      <a href={`${path}?${new URLSearchParams(otherParams)}`} className="btn btn-ghost" download>
        {label}
      </a>
    )
  }
  return (
    <form method="post" action={path}>
      {otherParams.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button className="btn btn-ghost">{label}</button>
    </form>
  )
}

const pageParams = ['after', 'before', 'last']
/** Parameters that name a page: the export has all pages. */
const notExported = [...pageParams, 'size']

function GridSearch({ url, label }: { url: GridUrl; label: string }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const q = url.params['q'] ?? ''
  const [typed, setTyped] = useState(q)
  const sent = useRef(q)
  useEffect(() => {
    // Text that was typed before hydration.
    setTyped((previous) => input.current?.value ?? previous)
  }, [])
  useEffect(() => {
    // The URL changed from outside: the back button, or a link.
    if (q !== sent.current) setTyped(q)
    sent.current = q
  }, [q])
  const search = useCallback(() => {
    if (typed.trim() === sent.current) return
    sent.current = typed.trim()
    url.go({ q: typed.trim() }, { replace: true })
  }, [typed, url])
  useEffect(() => {
    if (typed.trim() === sent.current) return undefined
    const timer = setTimeout(search, searchDelayMs)
    return () => clearTimeout(timer)
  }, [typed, search])
  useShortcuts(useMemo(() => [{ keys: '/', label, run: () => input.current?.focus() }], [label]))
  const otherParams = Object.entries(url.params).filter(
    ([name]) => name !== 'q' && !pageParams.includes(name),
  )
  return (
    <form
      role="search"
      className="w-full sm:w-72"
      // Posted to the first page.
      {...(url.isPrivate && { method: 'post', action: url.hrefOf({}) })}
      onSubmit={(event) => {
        event.preventDefault()
        search()
      }}
    >
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      {/* A form sends only its own fields, so the filters and the sort are hidden fields. */}
      {otherParams.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input
        ref={input}
        id={id}
        type="search"
        name="q"
        className="input"
        maxLength={200}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        // Before a click elsewhere: a late search would navigate back from the page that the click
        // opened.
        onBlur={search}
      />
    </form>
  )
}

type ColumnChoiceProps<Row> = {
  columns: readonly GridColumn<Row>[]
  hidden: readonly string[]
  onHide: (columns: string[]) => void
}

function ColumnChoice<Row>({ columns, hidden, onHide }: ColumnChoiceProps<Row>) {
  const id = useId()
  return (
    <>
      <button type="button" className="btn btn-ghost" popoverTarget={id}>
        <Columns3 /> Columns
      </button>
      <div
        id={id}
        popover="auto"
        className="popover max-h-[max(14rem,calc(100%-1rem))] overflow-y-auto p-3 [position-try-fallbacks:flip-block]"
      >
        <fieldset>
          <legend className="mb-2 font-semibold">Columns to show</legend>
          {columns.slice(1).map((column) => (
            <label key={column.id} className="flex min-h-8 items-center gap-2">
              <input
                type="checkbox"
                className="grid-check"
                checked={!hidden.includes(column.id)}
                onChange={(event) =>
                  onHide(
                    event.currentTarget.checked
                      ? hidden.filter((id) => id !== column.id)
                      : [...hidden, column.id],
                  )
                }
              />
              {column.header}
            </label>
          ))}
        </fieldset>
      </div>
    </>
  )
}
