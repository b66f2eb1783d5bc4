import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { toCallFailure } from '../../../http/trpc.ts'
import { showToast } from '../../../ui/toasts.ts'
import { Undo2, X } from '../../../ui/icons.tsx'
import { useShortcuts } from '../../../ui/data-grid/shortcuts.ts'
import { dismissUndo, useUndo, type Undo } from '../../../ui/data-grid/undo.ts'

const visibleMs = 12_000

/** Reports the last change and offers to undo it, for a while or until dismissed. */
export function UndoBar() {
  const pendingUndo = useUndo()
  return <div role="status">{pendingUndo ? <Offer key={pendingUndo.id} offer={pendingUndo} /> : null}</div>
}

/**
 * The focus would be lost with the bar. What was focused before may no longer exist: an undo closes
 * the results of a bulk change.
 */
function focusAgain(before: Element | null): void {
  const target = before?.isConnected ? before : document.getElementById('main')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

/**
 * It stays while the pointer or the focus is on it; but not for longer than an email waits. The key
 * u only moves the focus to it.
 */
function Offer({ offer: { id, text, undo, refresh, seconds } }: { offer: Undo }) {
  const [isHeld, setHeld] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [secondsLeft, setSecondsLeft] = useState(seconds)
  const button = useRef<HTMLButtonElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const focusedBefore = useRef<Element | null>(null)
  useShortcuts(useMemo(() => [{ keys: 'u', label: 'Go to Undo', run: () => button.current?.focus() }], []))
  const close = useCallback((): void => {
    if (bar.current?.contains(document.activeElement)) focusAgain(focusedBefore.current)
    dismissUndo(id)
  }, [id])
  useEffect(() => {
    if (isBusy || isHeld || seconds !== null) return undefined
    const timer = setTimeout(close, visibleMs)
    return () => clearTimeout(timer)
  }, [close, seconds, isHeld, isBusy])
  useEffect(() => {
    if (secondsLeft === null) return undefined
    if (secondsLeft === 0 && !isBusy) close()
    const timer = setTimeout(() => setSecondsLeft(Math.max(0, secondsLeft - 1)), 1000)
    return () => clearTimeout(timer)
  }, [close, secondsLeft, isBusy])
  const run = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      await undo()
    } catch (error) {
      const { fields, message } = toCallFailure(error)
      // There is no form to show a field's message at.
      showToast({ kind: 'error', title: 'Undo Failed', text: Object.values(fields)[0] ?? message })
    }
    // A page that can't be loaded again says so itself.
    await refresh().catch(() => {})
    close()
  }
  return (
    <div
      ref={bar}
      className="undo-bar print:hidden"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={(event) => {
        setHeld(true)
        // Null when the window gets the focus back.
        const from = event.relatedTarget
        if (from && !event.currentTarget.contains(from)) focusedBefore.current = from
      }}
      onBlur={() => setHeld(false)}
    >
      {text}
      <button
        ref={button}
        type="button"
        className="btn btn-ghost"
        aria-disabled={isBusy || undefined}
        onClick={() => void run()}
      >
        <Undo2 /> Undo
        {secondsLeft === null ? null : (
          <span className="tabular-nums" aria-hidden="true">
            {secondsLeft}
          </span>
        )}
      </button>
      <button type="button" className="btn btn-ghost btn-square" aria-label="Dismiss" onClick={close}>
        <X />
      </button>
    </div>
  )
}
