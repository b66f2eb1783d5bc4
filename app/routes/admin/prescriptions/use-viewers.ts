import { useEffect, useState } from 'react'
import { trpc } from '../../../http/trpc.ts'

/** The server counts a look for two minutes. */
const everyMs = 45_000

/** Who else looks at the case, kept up to date while the page is visible. */
export function useViewers(caseId: string, initial: readonly string[]): readonly string[] {
  const { mutateAsync } = trpc.cases.viewers.useMutation()
  const [viewers, setViewers] = useState(initial)
  useEffect(() => {
    const look = (): void => {
      // A failure says nothing new, and the next look comes soon.
      if (document.visibilityState === 'visible') mutateAsync({ id: caseId }).then(setViewers, () => {})
    }
    look()
    const timer = setInterval(look, everyMs)
    return () => clearInterval(timer)
  }, [caseId, mutateAsync])
  return viewers
}
