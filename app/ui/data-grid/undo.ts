import { useSyncExternalStore } from 'react'

/** What was done and how to take it back. */
export type Undo = { id: number; text: string; undo: () => Promise<unknown> }

let offered: Undo | null = null
let count = 0
const listeners = new Set<() => void>()

function set(to: Undo | null): void {
  offered = to
  for (const listener of listeners) listener()
}

/** Offers to take back what was just done, until something else is or it is put away. For what mails and refunds nobody. */
export const offerUndo = (text: string, undo: Undo['undo']): void => set({ id: ++count, text, undo })

export function forgetUndo(id: number): void {
  if (offered?.id === id) set(null)
}

/** Withdraws what was offered: what it would change is gone. */
export const forgetUndoOfGone = (): void => set(null)

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
