import { adminPaths } from '#domain/admin-paths.ts'
import { useLocation } from 'react-router'
import { LinkButton } from '../../../ui/Button.tsx'

function adviceFor(status: number): string {
  if (status === 0) return 'We couldn’t connect to the server. Check your connection and try again.'
  if (status === 403) return 'An admin can give you access.'
  if (status === 404) return 'Check the address. The entry may have been deleted.'
  return status < 500 ? 'Check the address and try again.' : 'Try again in a moment.'
}

/**
 * A page of the back office that failed. Where trying again can help, it offers that, without
 * scripts too.
 */
export function BackOfficeError({ status, title }: { status: number; title: string }) {
  const { pathname, search } = useLocation()
  // Trying again gives the same answer.
  const isFinal = status === 403 || status === 404
  return (
    <div className="max-w-2xl py-4">
      {status > 0 ? <p className="text-sm font-semibold text-muted">Error {status}</p> : null}
      <h1 className="mt-1 text-2xl">{title}</h1>
      <p className="mt-2 text-muted">{adviceFor(status)}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        {isFinal ? null : (
          <LinkButton kind="primary" to={pathname + search} reloadDocument>
            Try again
          </LinkButton>
        )}
        <LinkButton kind={isFinal ? 'primary' : 'secondary'} to={adminPaths.dashboard}>
          Dashboard
        </LinkButton>
      </div>
    </div>
  )
}
