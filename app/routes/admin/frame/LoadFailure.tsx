import { useQueryClient, type Query } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { toCallFailure } from '../../../http/trpc.ts'

const failedLists = {
  type: 'active',
  predicate: ({ meta, state }: Query) => meta?.['isList'] === true && state.status === 'error',
} as const

/**
 * Says that a list of the page could not be loaded: its rows are those of an earlier search or
 * page.
 */
export function LoadFailure() {
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const failed = useSyncExternalStore(
    useCallback((onChange) => cache.subscribe(onChange), [cache]),
    () => cache.findAll(failedLists)[0],
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
          void client.refetchQueries(failedLists)
        }}
      >
        Try again
      </button>
    </p>
  )
}
