import { useEffect, useRef, type ReactNode } from 'react'
import { ChevronFirst, ChevronLast } from '../admin-icons.tsx'
import { ChevronLeft, ChevronRight } from '../icons.tsx'
import { GridLink } from './GridLink.tsx'
import type { GridUrl } from './grid-url.ts'
import { firstNumber, formatRange, type Page } from './page-range.ts'

const sizes = ['25', '50', '100', '200', '500']

type GridPagerProps = {
  /** Its accessible name, where a page has two. */
  label?: string
  url: GridUrl
  /** The rows of a page until the user chooses. */
  defaultSize?: 25 | 50
  page: Page
}

/** Links between a grid's pages. */
export function GridPager({ label = 'Pages', url, defaultSize = 50, page }: GridPagerProps) {
  const { next, previous } = page
  const size = page.rows.length
  const first = firstNumber(page, url.params['from'])
  const isSize = sizes.includes(url.params['size'] ?? '')
  const pageSize = isSize ? Number(url.params['size']) : defaultSize
  // When rows are deleted or no longer match, a page can be past the last one.
  const isPastLastPage = size === 0 && page.total > 0
  const nav = useRef<HTMLElement>(null)
  const hasFocus = useRef(false)
  // At either end the link that was pressed disappears: the focus moves to one of the others.
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) nav.current?.querySelector('a')?.focus()
  }, [next, previous])
  const step = (label: string, change: Record<string, string | null> | null, icon: ReactNode) =>
    change ? (
      <GridLink url={url} change={change} className="btn btn-ghost btn-square" aria-label={label}>
        {icon}
      </GridLink>
    ) : (
      <span className="btn btn-ghost btn-square btn-disabled" aria-hidden="true">
        {icon}
      </span>
    )
  return (
    <nav
      ref={nav}
      aria-label={label}
      className="flex flex-wrap items-center gap-1 print:hidden"
      onFocus={() => {
        hasFocus.current = true
      }}
      onBlur={(event) => {
        if (event.relatedTarget) hasFocus.current = false
      }}
    >
      <p className="me-auto tabular-nums max-sm:basis-full" aria-live="polite">
        {formatRange(page, first)}
      </p>
      <label className="flex items-center gap-2 max-sm:me-auto">
        Rows
        <select
          className="select w-20"
          value={String(pageSize)}
          onChange={(event) => url.go({ size: event.currentTarget.value })}
        >
          {sizes.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </label>
      {step('First page', previous === null && !isPastLastPage ? null : { after: null }, <ChevronFirst />)}
      {step(
        'Previous page',
        previous === null
          ? null
          : { before: previous, ...(first !== null && { from: `${Math.max(1, first - pageSize)}` }) },
        <ChevronLeft />,
      )}
      {step(
        'Next page',
        next === null ? null : { after: next, ...(first !== null && { from: `${first + size}` }) },
        <ChevronRight />,
      )}
      {step('Last page', next === null && !isPastLastPage ? null : { last: '1' }, <ChevronLast />)}
    </nav>
  )
}
