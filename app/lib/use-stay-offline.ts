import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { showToast } from '../ui/toasts.ts'

/**
 * Without a connection a link or a form keeps the page, and what was typed on it, and says why. The router would load it
 * anew when the next page's script cannot be fetched, and the browser then shows a page of its own.
 */
export function useStayOffline(): void {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      !navigator.onLine && from.pathname + from.search !== to.pathname + to.search,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    blocker.reset()
    showToast({
      kind: 'error',
      title: 'You are offline',
      text: 'This page stays as it is. Please check your connection and try again.',
    })
  }, [blocker])
}
