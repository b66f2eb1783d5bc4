import { useLayoutEffect, useSyncExternalStore } from 'react'

/** A key, alone ("j") or with Ctrl or Cmd ("mod+k"), and what it does. */
export type Shortcut = { keys: string; label: string; run: (event: KeyboardEvent) => void }

let shortcuts: readonly Shortcut[] = []
const listeners = new Set<() => void>()

function set(to: readonly Shortcut[]): void {
  shortcuts = to
  for (const listener of listeners) listener()
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), select, textarea'))

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey) return
  const isMod = event.ctrlKey || event.metaKey
  if (!isMod && (isTyping(event.target) || document.querySelector('dialog[open]'))) return
  const keys = (isMod ? 'mod+' : '') + event.key.toLowerCase()
  // The newest wins: a page's own over the frame's.
  const found = shortcuts.findLast((shortcut) => shortcut.keys === keys)
  if (!found) return
  event.preventDefault()
  found.run(event)
}

/**
 * Registers shortcuts while the component is mounted. A layout effect, because after a passive one
 * a key pressed as soon as a prescription shows would decide the previous one. `added` must be
 * stable between renders.
 */
export function useShortcuts(added: readonly Shortcut[]): void {
  useLayoutEffect(() => {
    if (shortcuts.length === 0) document.addEventListener('keydown', onKeyDown)
    set([...shortcuts, ...added])
    return () => {
      set(shortcuts.filter((shortcut) => !added.includes(shortcut)))
      if (shortcuts.length === 0) document.removeEventListener('keydown', onKeyDown)
    }
  }, [added])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const none: readonly Shortcut[] = []

/** All active shortcuts, for the list of them. */
export const useAllShortcuts = (): readonly Shortcut[] =>
  useSyncExternalStore(
    subscribe,
    () => shortcuts,
    () => none,
  )
