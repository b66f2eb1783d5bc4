import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../../../ui/Button.tsx'

const dialogOf = (target: EventTarget | null): HTMLDialogElement | null =>
  target instanceof Element ? target.closest('dialog') : null

/**
 * Asks before Escape, Close or a click outside closes a dialog with a form that was typed into. One
 * listener for every dialog of the back office: the shop's have no forms, and their pages load none
 * of this. Cancel and a save close it at once.
 */
export function DiscardPrompt() {
  const [asking, setAsking] = useState<HTMLDialogElement | null>(null)
  const typedInto = useRef(new WeakMap<HTMLDialogElement, HTMLElement>())
  const isAsking = asking !== null
  useEffect(() => {
    const listeners = new AbortController()
    let pressed: EventTarget | null = null
    const listen = <Name extends keyof DocumentEventMap>(
      name: Name,
      listener: (event: DocumentEventMap[Name]) => void,
      capture = true,
    ): void => document.addEventListener(name, listener, { capture, signal: listeners.signal })
    const hold = (event: Event, dialog: HTMLDialogElement): void => {
      event.preventDefault()
      event.stopPropagation()
      setAsking(dialog)
    }
    const typedDialog = (target: EventTarget | null): HTMLDialogElement | null => {
      const dialog = dialogOf(target)
      return dialog && typedInto.current.has(dialog) ? dialog : null
    }
    listen('input', ({ target }) => {
      const dialog = dialogOf(target)
      if (!dialog || !(target instanceof HTMLElement) || !target.closest('form')) return
      typedInto.current.set(dialog, target)
      setAsking(null)
    })
    // However it was closed.
    listen('close', ({ target }) => {
      if (target instanceof HTMLDialogElement) typedInto.current.delete(target)
      setAsking(null)
    })
    // Going back on a phone. The browser asks only once.
    listen('cancel', (event) => {
      const dialog = typedDialog(event.target)
      if (dialog && event.target === dialog) hold(event, dialog)
    })
    // After the dialog's own controls, such as a list of options that Escape closes.
    listen(
      'keydown',
      (event) => {
        const dialog = event.key === 'Escape' && !event.defaultPrevented ? typedDialog(event.target) : null
        if (!dialog || document.activeElement?.closest('.toasts')) return
        hold(event, dialog)
        if (!isAsking) return
        setAsking(null)
        typedInto.current.get(dialog)?.focus()
      },
      false,
    )
    listen('pointerdown', ({ target }) => {
      pressed = target
    })
    listen('click', (event) => {
      const dialog = typedDialog(event.target)
      if (!dialog || !(event.target instanceof Element)) return
      const isOutside = event.target === dialog && pressed === dialog
      if (isOutside || event.target.closest('[aria-label=Close]')) hold(event, dialog)
    })
    return () => listeners.abort()
  }, [isAsking])
  if (!asking) return null
  return createPortal(
    <div
      role="alert"
      className="absolute inset-x-0 bottom-0 z-2 flex flex-wrap items-center gap-2 border-t border-line bg-base-100 px-5 py-3"
    >
      <b className="me-auto max-sm:basis-full">Discard what you typed?</b>
      <Button
        ref={(button) => button?.focus()}
        type="button"
        kind="quiet"
        onClick={() => {
          setAsking(null)
          typedInto.current.get(asking)?.focus()
        }}
      >
        Keep editing
      </Button>
      <Button type="button" kind="danger" onClick={() => asking.close()}>
        Discard
      </Button>
    </div>,
    asking,
  )
}
