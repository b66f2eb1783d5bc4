import { useEffect, useRef } from 'react'

type RestoredFocus = {
  /** Before a form is sent. */
  start: () => void
  /** The form was done: the case decides where the focus goes. */
  drop: () => void
}

/**
 * The focus while a form is sent, when its disabled button loses it. After a refusal it goes to the
 * error of the line, or back to the button. A field with an error has it already.
 */
export function useRestoredFocus(isBusy: boolean): RestoredFocus {
  const sent = useRef<{ button: HTMLElement; section: Element | null } | null>(null)
  useEffect(() => {
    const { current } = sent
    if (isBusy || !current) return
    sent.current = null
    if (document.activeElement !== document.body) return
    const error = current.section?.querySelector<HTMLElement>('[role=alert][tabindex]')
    for (const element of [current.button, error]) element?.focus({ preventScroll: true })
    error?.scrollIntoView({ block: 'nearest' })
  }, [isBusy])
  return {
    start: () => {
      const { activeElement: button } = document
      // The button of a decided line is removed. Its section of the case is not.
      if (button instanceof HTMLElement) sent.current = { button, section: button.closest('section[id]') }
    },
    drop: () => {
      sent.current = null
    },
  }
}
