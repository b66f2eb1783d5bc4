import { useEffect, useId, useRef, type ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import { X } from './icons.tsx'
import { hostToasts } from './toasts.ts'

type DialogProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** `side` is a panel at the right edge, `center` a box in the middle. */
  place?: 'center' | 'side'
  children: ReactNode
  /** Stays visible below the scrolling part. */
  footer?: ReactNode
  /** For a confirmation, whose first button is Cancel. */
  role?: 'alertdialog'
}

/**
 * A modal on the native dialog element, which traps and returns the focus. Escape and a click on
 * the backdrop close it. Its content is mounted only while it is open, so that no id or label
 * appears twice.
 */
export function Dialog({ open, onClose, title, place = 'center', children, footer, role }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const toasts = useRef<HTMLDivElement>(null)
  const titleId = useId()
  const pressedBackdrop = useRef(false)
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    if (!open) {
      element.close()
      return
    }
    // Opens after the press has been painted: a modal makes the rest of the page inert, which
    // restyles every element of a long page.
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        if (!element.open) element.showModal()
      })
    })
    const stopHosting = toasts.current ? hostToasts(toasts.current) : undefined
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      stopHosting?.()
    }
  }, [open])
  return (
    <dialog
      ref={dialog}
      role={role}
      className={place === 'side' ? 'sheet' : 'dialog'}
      aria-labelledby={open ? titleId : undefined}
      onClose={onClose}
      // Escape inside a toast dismisses the toast and must not close the dialog with its typed
      // values.
      onCancel={(event) => {
        if (toasts.current?.contains(document.activeElement)) event.preventDefault()
      }}
      // A click on the backdrop targets the dialog element; a click inside has another target. A
      // text selection that ends on the backdrop is not a click on it.
      onPointerDown={(event) => {
        pressedBackdrop.current = event.target === event.currentTarget
      }}
      onClick={(event) => {
        if (pressedBackdrop.current && event.target === event.currentTarget) onClose()
      }}
    >
      {open ? (
        <div className="flex max-h-[inherit] min-h-0 h-full flex-col">
          <div className="flex items-center gap-3 border-b border-line py-3 ps-5 pe-3">
            <h2 id={titleId} className="text-lg">
              {title}
            </h2>
            {role ? null : (
              <IconButton label="Close" type="button" className="ms-auto" onClick={onClose}>
                <X />
              </IconButton>
            )}
          </div>
          <div ref={toasts} className="toasts" aria-live="polite" />
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {footer ? <div className="border-t border-line px-5 py-4">{footer}</div> : null}
        </div>
      ) : null}
    </dialog>
  )
}
