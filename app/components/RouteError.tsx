import { paths } from '#domain/paths.ts'
import { isRouteErrorResponse, useLocation } from 'react-router'
import { isLostConnection } from '../http/network-fallback.ts'
import { ErrorPage, NotFoundPage } from './ErrorPages.tsx'

const unexpected = 'Something went wrong on our end.'

/**
 * The status (0 when the server was not reached) and message of what a page's loader, action or
 * component threw.
 */
export function describeError(error: unknown): { status: number; title: string } {
  if (isLostConnection(error)) return { status: 0, title: 'The connection failed' }
  if (!isRouteErrorResponse(error)) return { status: 500, title: unexpected }
  const data: unknown = error.data
  // Bare text is React Router's own message or a proxy's page.
  const message = data && typeof data === 'object' && 'message' in data ? data.message : null
  if (typeof message === 'string' && message !== '') return { status: error.status, title: message }
  if (error.status === 404) return { status: 404, title: '404 Page Not Found' }
  if (error.status >= 500) return { status: error.status, title: unexpected }
  return { status: error.status, title: error.statusText || 'Something went wrong.' }
}

/** The documented messages of pages that cannot load (specification, section 8). */
function documentedFailure(pathname: string, search: string): string | null {
  if (pathname === '/') return 'Failed to fetch variants'
  if (pathname === paths.products && /[?&](q|manufacturerId|ndc|din|upc)=[^&]/.test(search))
    return 'Failed to search products'
  if (pathname === paths.products || pathname === paths.brands) return 'Failed to fetch products'
  if (pathname.startsWith(`${paths.products}/`)) return 'Failed to fetch product'
  return pathname === paths.prescriptions ? 'Failed to load prescriptions. Please try refreshing.' : null
}

type RouteErrorProps = {
  error: unknown
  /** Overrides the documented message of this URL. */
  failure?: string
  /** Whether to write the title too. A page with its own error boundary has its own title. */
  isTitled?: boolean
}

/** What a page shows when it or an action on it failed. */
export function RouteError({ error, failure, isTitled = false }: RouteErrorProps) {
  const { pathname, search } = useLocation()
  const { status, title } = describeError(error)
  const isOurs = status === 0 || status >= 500
  const shown = (isOurs && (failure ?? documentedFailure(pathname, search))) || title
  return (
    <>
      {isTitled ? (
        <>
          <title>{`${shown} | Meridian`}</title>
          <meta name="robots" content="noindex" />
        </>
      ) : null}
      {status === 404 ? (
        <NotFoundPage title={title} />
      ) : (
        <ErrorPage status={status} title={shown} path={pathname + search} />
      )}
    </>
  )
}
