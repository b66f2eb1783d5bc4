import { useEffect, useState } from 'react'

/** What has a tooltip: its title, or the label of a button that is only an icon. */
const selector = '[title], .btn-square[aria-label]'

type Layer = typeof import('./TooltipLayer.tsx').TooltipLayer

/**
 * Loads the tooltips of the back office when the pointer first meets an element that has one, or at
 * the first Tab. Until then, and without scripts, titles are the browser's.
 */
export function Tooltips() {
  const [late, setLate] = useState<{ Layer: Layer } | null>(null)
  useEffect(() => {
    const listeners = new AbortController()
    const load = () => {
      listeners.abort()
      import('./TooltipLayer.tsx').then(
        ({ TooltipLayer }) => setLate({ Layer: TooltipLayer }),
        // The titles stay.
        () => {},
      )
    }
    const { signal } = listeners
    document.addEventListener(
      'pointerover',
      ({ target }) => target instanceof Element && target.closest(selector) && load(),
      { signal },
    )
    document.addEventListener('keydown', ({ key }) => key === 'Tab' && load(), { signal })
    return () => listeners.abort()
  }, [])
  return late ? <late.Layer selector={selector} /> : null
}
