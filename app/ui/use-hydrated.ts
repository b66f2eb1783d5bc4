import { useSyncExternalStore } from 'react'

const subscribeNever = () => () => {}

/**
 * False on the server and in the first paint, true once scripts run. For controls that need
 * scripts.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  )
