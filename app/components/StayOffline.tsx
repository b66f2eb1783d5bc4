import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { showToast } from '../ui/toasts.ts'

/**
 * While the browser is offline, links and forms keep the current page with its typed values, and
 * explain why. Otherwise the router reloads when it cannot fetch the next page's script, and the
 * browser shows its own error page.
 */
export function StayOffline() {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      // A fragment of the current page needs no request; a form can post to its own page.
      from.pathname + from.search !== to.pathname + to.search || to.hash === '',
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    blocker.reset()
    showToast({
      kind: 'error',
      title: 'You’re offline',
      text: 'Nothing on this page is lost. Check your connection and try again.',
    })
  }, [blocker])
  return null
}
