import type { ReactNode } from 'react'
import { Link } from '../render/Link.tsx'
import { ChevronLeft, ChevronRight } from './icons.tsx'

/**
 * The page numbers to link: the first, the last and those around the current one; null marks a gap.
 */
export function pagesAround(page: number, last: number): (number | null)[] {
  const numbers = [1, page - 1, page, page + 1, last].filter((number) => number >= 1 && number <= last)
  const pages = [...new Set(numbers)].sort((a, b) => a - b)
  return pages.flatMap((number, index) => {
    const before = pages[index - 1]
    return before !== undefined && number - before > 1 ? [null, number] : [number]
  })
}

/** Says that the last page is shown in place of one past it, such as of an old link. */
export const PastLastPage = ({ requested = 1, last }: { requested: number | undefined; last: number }) =>
  last > 0 && requested > last ? (
    <p className="mt-4 text-muted">
      There is no page {requested.toLocaleString('en-US')}. This is the last page.
    </p>
  ) : null

const cell = 'btn btn-ghost min-w-11 px-2 tabular-nums'

/** Pages as links, so that each has a URL and works without scripts. */
export function Pagination({
  page,
  last,
  hrefOf,
}: {
  page: number
  last: number
  hrefOf: (page: number) => string
}) {
  if (last <= 1) return null
  const step = (to: number, rel: 'prev' | 'next', label: string, icon: ReactNode) =>
    to >= 1 && to <= last ? (
      <Link to={hrefOf(to)} rel={rel} prefetch="intent" className={cell} aria-label={label}>
        {icon}
      </Link>
    ) : null
  return (
    <nav aria-label="Pages" className="mt-10 flex flex-wrap items-center justify-center gap-1">
      {step(page - 1, 'prev', 'Previous page', <ChevronLeft />)}
      {pagesAround(page, last).map((number, index) =>
        number === null ? (
          <span key={`gap-${index}`} className="px-1 text-muted" aria-hidden="true">
            …
          </span>
        ) : (
          <Link
            key={number}
            to={hrefOf(number)}
            prefetch="intent"
            aria-label={`Page ${number}`}
            {...(number === page && { 'aria-current': 'page' })}
            className={`${cell} aria-[current=page]:bg-primary aria-[current=page]:text-primary-content`}
          >
            {number}
          </Link>
        ),
      )}
      {step(page + 1, 'next', 'Next page', <ChevronRight />)}
    </nav>
  )
}
