import { useCallback, useRef } from 'react'

/** After a decision the focus is on the next line. A double press must not decide it unseen. */
const pauseMs = 700

/** A short pause after each decision: `isOver` says whether the next one may come. */
export function usePause(): { isOver: () => boolean; start: () => void } {
  const startedAt = useRef(-pauseMs)
  const isOver = useCallback(() => performance.now() - startedAt.current >= pauseMs, [])
  const start = useCallback(() => {
    startedAt.current = performance.now()
  }, [])
  return { isOver, start }
}
