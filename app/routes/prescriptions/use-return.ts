import { useEffect, useRef } from 'react'

/**
 * Calls back whenever somebody comes back to the page: the window gets the focus, its tab is shown, the connection returns
 * (specification, section 7, "own list"). Not while what it began before is on its way, nor offline.
 */
export function useReturn(ask: () => Promise<void>): void {
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  useEffect(() => {
    let isAsking = false
    const askAgain = (): void => {
      if (document.visibilityState === 'hidden' || !navigator.onLine || isAsking) return
      isAsking = true
      void latest.current().finally(() => {
        isAsking = false
      })
    }
    window.addEventListener('focus', askAgain)
    window.addEventListener('online', askAgain)
    document.addEventListener('visibilitychange', askAgain)
    return () => {
      window.removeEventListener('focus', askAgain)
      window.removeEventListener('online', askAgain)
      document.removeEventListener('visibilitychange', askAgain)
    }
  }, [])
}
