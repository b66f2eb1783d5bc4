import { useEffect } from 'react'

/** As if Escape were pressed. `DiscardPrompt` holds it when the form was typed into. */
const isClosingHeld = (): boolean =>
  document.querySelector('dialog[open]')?.dispatchEvent(new Event('cancel', { cancelable: true })) === false

/**
 * Lets Back ask, as Escape does, before the page of a dialog with a typed form is left. A browser
 * without the Navigation API goes back at once. Browsers hold Back only once until the next click
 * or key.
 */
export function useAskBeforeBack(): void {
  useEffect(() => {
    if (!('navigation' in window)) return undefined
    const ask = (event: NavigateEvent): void => {
      if (event.navigationType === 'traverse' && event.cancelable && isClosingHeld()) event.preventDefault()
    }
    const { navigation } = window
    navigation.addEventListener('navigate', ask)
    return () => navigation.removeEventListener('navigate', ask)
  }, [])
}
