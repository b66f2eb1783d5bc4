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

/**
 * A failed page. `failure` is the documented message for server errors (specification, section 8).
 */
export function RouteError({ error, failure }: { error: unknown; failure: string }) {
  const { pathname, search } = useLocation()
  const { status, title } = describeError(error)
  if (status === 404) return <NotFoundPage title={title} />
  return <ErrorPage status={status} title={status >= 500 ? failure : title} path={pathname + search} />
}
