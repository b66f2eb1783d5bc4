import { useLayoutEffect, useSyncExternalStore } from 'react'

/** A key, alone ("j") or with Ctrl or Cmd ("mod+k"), and what it does. */
export type Shortcut = { keys: string; does: string; run: (event: KeyboardEvent) => void }

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
  // The newest first: a page's own before the frame's.
  const found = shortcuts.findLast((shortcut) => shortcut.keys === keys)
  if (!found) return
  event.preventDefault()
  found.run(event)
}

/**
 * Lets keys work while the component is there, from the moment that it is: after an effect of the late kind, a key pressed at the
 * first sight of one prescription would decide the one before. `wanted` stays the same from one render to the next.
 */
export function useShortcuts(wanted: readonly Shortcut[]): void {
  useLayoutEffect(() => {
    if (shortcuts.length === 0) document.addEventListener('keydown', onKeyDown)
    set([...shortcuts, ...wanted])
    return () => {
      set(shortcuts.filter((shortcut) => !wanted.includes(shortcut)))
      if (shortcuts.length === 0) document.removeEventListener('keydown', onKeyDown)
    }
  }, [wanted])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const none: readonly Shortcut[] = []

/** All keys that work now, for the list of them. */
export const useAllShortcuts = (): readonly Shortcut[] =>
  useSyncExternalStore(
    subscribe,
    () => shortcuts,
    () => none,
  )
