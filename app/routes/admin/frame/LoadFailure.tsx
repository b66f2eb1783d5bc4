import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { toCallFailure } from '../../../http/trpc.ts'

/**
 * Says that a list of the page could not be loaded: its rows are those of an earlier search or
 * page.
 */
export function LoadFailure() {
  const cache = useQueryClient().getQueryCache()
  const failed = useSyncExternalStore(
    useCallback((onChange) => cache.subscribe(onChange), [cache]),
    () =>
      cache.findAll({
        type: 'active',
        predicate: ({ meta, state }) => meta?.['isList'] === true && state.status === 'error',
      })[0],
    () => undefined,
  )
  if (!failed) return null
  return (
    <p role="alert" className="mb-3 rounded-box border border-error p-3">
      The rows below may be out of date. {toCallFailure(failed.state.error).message}{' '}
      <button
        type="button"
        className="text-link"
        onClick={() => {
          // The button disappears when the rows arrive.
          document.getElementById('main')?.focus()
          failed.fetch().catch(() => {})
        }}
      >
        Try again
      </button>
    </p>
  )
}
