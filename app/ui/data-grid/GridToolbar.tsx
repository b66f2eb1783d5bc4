import { useCallback, useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react'
import { Download } from '../admin-icons.tsx'
import { Printer } from '../icons.tsx'
import { useHydrated } from '../use-hydrated.ts'
import { ColumnChoice } from './ColumnChoice.tsx'
import type { GridColumn, GridSettings } from './grid-types.ts'
import type { GridUrl } from './grid-url.ts'
import { GridViews } from './GridViews.tsx'
import { useShortcuts } from './shortcuts.ts'

/** How long a pause in typing starts the search. */
const searchDelayMs = 120

type GridToolbarProps<Row> = {
  url: GridUrl
  /** The label of the search field. */
  searchLabel?: string
  /** What it finds. */
  searchHint?: string
  /** Another field instead of the search. */
  field?: ReactNode
  /** Beside the search: the filters. */
  filters?: ReactNode
  /** The path of the CSV export: all pages, with the search and the filters. */
  exportPath?: string
  /** At the end: the page's main actions. */
  actions?: ReactNode
  columns: readonly GridColumn<Row>[]
  settings: GridSettings
}

/**
 * The toolbar above a grid: search as you type, filters, views, columns, print, export. On a narrow
 * screen it has two rows: the filters and the last actions are in menus.
 */
export function GridToolbar<Row>({
  url,
  searchLabel,
  searchHint,
  field,
  filters,
  exportPath,
  actions,
  columns,
  settings,
}: GridToolbarProps<Row>) {
  const hydrated = useHydrated()
  const id = useId()
  return (
    <div className="flex flex-wrap items-end gap-2 print:hidden">
      {searchLabel ? <GridSearch url={url} label={searchLabel} hint={searchHint} /> : null}
      {field}
      {filters ? (
        <>
          <button type="button" className="btn btn-ghost md:hidden" popoverTarget={`${id}-filters`}>
            Filters
          </button>
          <div id={`${id}-filters`} popover="auto" className="popover toolbar-menu">
            {filters}
          </div>
        </>
      ) : null}
      <div className="flex items-center gap-2 md:ms-auto md:flex-wrap max-md:[&_[popovertarget]_.icon]:hidden">
        {/* Rendered from the first paint on, or hydration would shift everything below. */}
        <GridViews url={url} settings={settings} isDisabled={!hydrated} />
        <fieldset role="none" disabled={!hydrated} className="contents noscript:hidden">
          <ColumnChoice columns={columns} settings={settings} />
        </fieldset>
        <button type="button" className="btn btn-ghost md:hidden" popoverTarget={`${id}-more`}>
          More
        </button>
        <div id={`${id}-more`} popover="auto" className="popover toolbar-menu">
          <button type="button" className="btn btn-ghost" disabled={!hydrated} onClick={() => window.print()}>
            <Printer /> Print
          </button>
          {exportPath ? <ExportLink url={url} path={exportPath} /> : null}
          {actions}
        </div>
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

const pageParams = ['after', 'before', 'last', 'from']
/** Parameters that name a page or columns: the export has all of both. */
const notExported = [...pageParams, 'size', 'hide']

function GridSearch({ url, label, hint }: { url: GridUrl; label: string; hint: string | undefined }) {
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
        placeholder={hint}
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
