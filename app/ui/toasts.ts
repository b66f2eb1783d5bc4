import { useSyncExternalStore } from 'react'

/** What a toast says. `error` has the destructive style and is read out at once. */
export type ToastMessage = { kind: 'success' | 'info' | 'error'; title: string; text?: string | undefined }

export type Shown = ToastMessage & { id: number; open: boolean }

/** The newest toast, open or not, and the message of a page's own data that was shown last. */
type State = { newest: Shown | null; carried: ToastMessage | null }

const atFirst: State = { newest: null, carried: null }
let state = atFirst
let count = 0
const listeners = new Set<() => void>()

function change(to: Partial<State>): void {
  state = { ...state, ...to }
  for (const listener of listeners) listener()
}

const opened = (message: ToastMessage): Shown => ({ ...message, id: ++count, open: true })

/** Shows a toast from an effect or a handler, in place of the one before: at most one is visible. */
export const showToast = (message: ToastMessage): void => change({ newest: opened(message) })

/** Shows what a page brought in its data, once, however often the page is drawn anew. */
export function carryToast(message: ToastMessage): void {
  if (state.carried !== message) change({ newest: opened(message), carried: message })
}

/** Puts a toast away; it is kept, closed, until the next takes its place, so that it can leave the screen at its pace. */
export function dismissToast(id: number): void {
  if (state.newest?.id === id) change({ newest: { ...state.newest, open: false } })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useToasts = (): State =>
  useSyncExternalStore(
    subscribe,
    () => state,
    () => atFirst,
  )
