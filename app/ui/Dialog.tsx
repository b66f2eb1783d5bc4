import { useEffect, useId, useRef, type ReactNode } from 'react'
import { IconButton } from './Button.tsx'
import { X } from './icons.tsx'
import { hostToasts } from './toasts.ts'

type DialogProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** `side` is a panel at the right edge, `centre` a box in the middle. */
  place?: 'centre' | 'side'
  children: ReactNode
  /** Stays in sight under the scrolling part. */
  footer?: ReactNode
  /** What asks before something is done. */
  role?: 'alertdialog'
}

/**
 * A modal on the browser's own dialog: it traps and returns the focus, closes by Escape and by a click beside it.
 * What it holds is there only while it is open, so that nothing on the page is twice.
 */
export function Dialog({ open, onClose, title, place = 'centre', children, footer, role }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const toasts = useRef<HTMLDivElement>(null)
  const titleId = useId()
  const pressedBeside = useRef(false)
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    if (!open) {
      if (element.open) element.close()
      return
    }
    // Once the press has been painted: a modal makes all else inert, for which each element of a long page is styled anew.
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        if (!element.open) element.showModal()
      })
    })
    const leaveToasts = toasts.current ? hostToasts(toasts.current) : undefined
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      leaveToasts?.()
    }
  }, [open])
  return (
    <dialog
      ref={dialog}
      role={role}
      className={place === 'side' ? 'sheet' : 'dialog'}
      aria-labelledby={open ? titleId : undefined}
      onClose={onClose}
      // Escape in a toast puts that away, and nothing that was typed.
      onCancel={(event) => {
        if (toasts.current?.contains(document.activeElement)) event.preventDefault()
      }}
      // The backdrop belongs to the dialog element itself; a click on anything inside has another target. Who marks a
      // text and lets go beside the panel has not clicked there.
      onPointerDown={(event) => {
        pressedBeside.current = event.target === event.currentTarget
      }}
      onClick={(event) => {
        if (pressedBeside.current && event.target === event.currentTarget) onClose()
      }}
    >
      {open ? (
        <div className="flex max-h-[inherit] min-h-0 h-full flex-col">
          <div ref={toasts} className="toasts" aria-live="polite" />
          <div className="flex items-center gap-3 border-b border-line py-3 ps-5 pe-3">
            <h2 id={titleId} className="text-lg">
              {title}
            </h2>
            <IconButton label="Close" type="button" className="ms-auto" onClick={onClose}>
              <X />
            </IconButton>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {footer ? <div className="border-t border-line px-5 py-4">{footer}</div> : null}
        </div>
      ) : null}
    </dialog>
  )
}
