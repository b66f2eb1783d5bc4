import { useSyncExternalStore } from 'react'

/** What a toast says. `error` has the destructive style and is read out at once. */
export type ToastMessage = { kind: 'success' | 'info' | 'error'; title: string; text?: string | undefined }

export type Shown = ToastMessage & {
  id: number
  open: boolean
  /** Where it stands, when it is of a modal that is open: all beside that is inert, neither read nor pressed. */
  host: HTMLElement | undefined
}

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

/** Of the modals that are open, the last one's first. */
let hosts: readonly HTMLElement[] = []

const opened = (message: ToastMessage): Shown => ({ ...message, id: ++count, open: true, host: hosts[0] })

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

/** Lets toasts that are raised while a modal is open stand in it. Returns what ends that: they are beside it again. */
export function hostToasts(host: HTMLElement): () => void {
  hosts = [host, ...hosts]
  return () => {
    hosts = hosts.filter((one) => one !== host)
    if (state.newest?.host === host) change({ newest: { ...state.newest, host: hosts[0] } })
  }
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
