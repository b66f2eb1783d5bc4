import { useEffect, useRef } from 'react'
import { useNavigation, useRevalidator } from 'react-router'

/**
 * Asks for the page's data anew whenever somebody comes back to it: the window gets the focus, its tab is shown, the connection
 * returns (specification, section 7, "own list"). Coming from another page loads it anyway. Nothing is asked while a form or a
 * page is on its way, nor twice at once.
 */
export function useFreshPage(): void {
  const { revalidate } = useRevalidator()
  const isBusy = useNavigation().state !== 'idle'
  const busy = useRef(isBusy)
  const asking = useRef(false)
  useEffect(() => {
    busy.current = isBusy
  }, [isBusy])
  useEffect(() => {
    const askAgain = (): void => {
      if (document.visibilityState === 'hidden' || !navigator.onLine || busy.current || asking.current) return
      asking.current = true
      void revalidate().finally(() => {
        asking.current = false
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
  }, [revalidate])
}
