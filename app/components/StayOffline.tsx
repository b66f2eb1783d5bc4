import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { showToast } from '../ui/toasts.ts'

/**
 * While there is no connection a link or a form keeps the page, and what was typed on it, and says why. The router would
 * load it anew when the next page's script cannot be fetched, and the browser then shows a page of its own.
 */
export function StayOffline() {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      // A part of the page that is shown is reached without us; a form may post to its own page.
      from.pathname + from.search !== to.pathname + to.search || to.hash === '',
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
  return null
}
