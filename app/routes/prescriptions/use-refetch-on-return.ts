import { useEffect, useRef } from 'react'

/**
 * Refetches when the user returns to the page: the window gets the focus, its tab becomes visible
 * or the connection returns (specification, section 7, "own list"). Not while a refetch is pending,
 * nor offline.
 */
export function useRefetchOnReturn(refetch: () => Promise<void>): void {
  const latest = useRef(refetch)
  useEffect(() => {
    latest.current = refetch
  })
  useEffect(() => {
    let isRefetching = false
    const refetchIfVisible = (): void => {
      if (document.visibilityState === 'hidden' || !navigator.onLine || isRefetching) return
      isRefetching = true
      void latest.current().finally(() => {
        isRefetching = false
      })
    }
    window.addEventListener('focus', refetchIfVisible)
    window.addEventListener('online', refetchIfVisible)
    document.addEventListener('visibilitychange', refetchIfVisible)
    return () => {
      window.removeEventListener('focus', refetchIfVisible)
      window.removeEventListener('online', refetchIfVisible)
      document.removeEventListener('visibilitychange', refetchIfVisible)
    }
  }, [])
}
