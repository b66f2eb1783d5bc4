import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False on the server and in the first paint, true once scripts run: what only works with scripts waits for it. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
