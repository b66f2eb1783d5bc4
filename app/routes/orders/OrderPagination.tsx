import { LinkButton } from '../../ui/Button.tsx'
import { ChevronLeft, ChevronRight } from '../../ui/icons.tsx'

type OrderPaginationProps = { path: string; page: number; pages: number }

const hrefOf = (path: string, page: number): string => (page === 1 ? path : `${path}?page=${page}`)

/** Pagination of a long history. Each page has its own URL. */
export const OrderPagination = ({ path, page, pages }: OrderPaginationProps) =>
  pages === 1 ? null : (
    <nav aria-label="Pages" className="mt-6 grid grid-cols-[1fr_auto_1fr] items-center gap-3">
      {page > 1 ? (
        <LinkButton to={hrefOf(path, page - 1)} rel="prev" className="justify-self-start">
          <ChevronLeft />
          Newer
        </LinkButton>
      ) : (
        <span />
      )}
      <p className="text-muted">
        Page {page} of {pages}
      </p>
      {page < pages ? (
        <LinkButton to={hrefOf(path, page + 1)} rel="next" className="justify-self-end">
          Older
          <ChevronRight />
        </LinkButton>
      ) : (
        <span />
      )}
    </nav>
  )
