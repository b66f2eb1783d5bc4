import { useSyncExternalStore } from 'react'

/** A toast's content. `error` has the destructive style and is announced at once. */
export type ToastMessage = {
  kind: 'success' | 'info' | 'error'
  title: string
  text?: string | undefined
  /** Follows the text. It loads a document. */
  link?: { href: string; label: string } | undefined
}

export type ActiveToast = ToastMessage & {
  id: number
  open: boolean
  /** The open modal that shows the toast, if any: everything outside a modal is inert. */
  host: HTMLElement | undefined
}

/** The newest toast, open or not, and the last message from page data that was shown. */
type State = { newest: ActiveToast | null; pageMessage: ToastMessage | null }

const initialState: State = { newest: null, pageMessage: null }
let state = initialState
let count = 0
const listeners = new Set<() => void>()

function update(to: Partial<State>): void {
  state = { ...state, ...to }
  for (const listener of listeners) listener()
}

/** The toast hosts of the open modals, innermost first. */
let hosts: readonly HTMLElement[] = []

const openToast = (message: ToastMessage): ActiveToast => ({
  ...message,
  id: ++count,
  open: true,
  host: hosts[0],
})

/**
 * Shows a toast, from an effect or a handler. It replaces the previous one: at most one is visible.
 */
export const showToast = (message: ToastMessage): void => update({ newest: openToast(message) })

/** Shows a message from page data once, however often the page renders. */
export function showPageToast(message: ToastMessage): void {
  if (state.pageMessage !== message) update({ newest: openToast(message), pageMessage: message })
}

/** Dismisses a toast. It stays in the state, closed, so that its exit animation can finish. */
export function dismissToast(id: number): void {
  if (state.newest?.id === id) update({ newest: { ...state.newest, open: false } })
}

/** Shows toasts inside an open modal. Returns a function that ends that. */
export function hostToasts(host: HTMLElement): () => void {
  hosts = [host, ...hosts]
  return () => {
    hosts = hosts.filter((other) => other !== host)
    if (state.newest?.host === host) update({ newest: { ...state.newest, host: hosts[0] } })
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
    () => initialState,
  )
