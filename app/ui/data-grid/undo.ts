import { useSyncExternalStore } from 'react'

/** What was done, and how to undo it. */
export type Undo = {
  id: number
  text: string
  undo: () => Promise<unknown>
  /** Loads what it changes again. A refused undo does too: someone else has changed it. */
  refresh: () => Promise<unknown>
  /** For a change whose email waits only so long. */
  seconds: number | null
}

let offered: Undo | null = null
let count = 0
const listeners = new Set<() => void>()

function set(to: Undo | null): void {
  offered = to
  for (const listener of listeners) listener()
}

/**
 * Offers to undo the last change until the next one, or until dismissed. Only for changes that
 * start no refund, and whose email waits.
 */
export const offerUndo = (text: string, how: Pick<Undo, 'undo' | 'refresh'> & { seconds?: number }): void =>
  set({ id: ++count, text, seconds: null, ...how })

export function dismissUndo(id: number): void {
  if (offered?.id === id) set(null)
}

/** Withdraws the offer: what it would change no longer exists. */
export const clearUndo = (): void => set(null)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useUndo = (): Undo | null =>
  useSyncExternalStore(
    subscribe,
    () => offered,
    () => null,
  )
