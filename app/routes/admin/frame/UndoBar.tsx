import { useEffect, useState } from 'react'
import { toCallFailure } from '../../../http/trpc.ts'
import { showToast } from '../../../ui/toasts.ts'
import { Undo2, X } from '../../../ui/icons.tsx'
import { dismissUndo, useUndo } from '../../../ui/data-grid/undo.ts'

const visibleMs = 12_000

/**
 * Reports the last change and offers to undo it, for a while or until dismissed. It stays while the
 * pointer or the focus is on it.
 */
export function UndoBar() {
  const pendingUndo = useUndo()
  const [isHeld, setHeld] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (!pendingUndo || isHeld) return undefined
    const timer = setTimeout(() => dismissUndo(pendingUndo.id), visibleMs)
    return () => clearTimeout(timer)
  }, [pendingUndo, isHeld])
  const undo = async (): Promise<void> => {
    if (!pendingUndo) return
    setBusy(true)
    try {
      await pendingUndo.undo()
    } catch (error) {
      showToast({ kind: 'error', title: 'Undo Failed', text: toCallFailure(error).message })
    } finally {
      setBusy(false)
      dismissUndo(pendingUndo.id)
    }
  }
  return (
    <div role="status">
      {pendingUndo ? (
        <div
          className="undo-bar"
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
        >
          {pendingUndo.text}
          <button type="button" className="btn btn-ghost" disabled={isBusy} onClick={() => void undo()}>
            <Undo2 /> Undo
          </button>
          <button
            type="button"
            className="btn btn-ghost btn-square"
            aria-label="Dismiss"
            onClick={() => dismissUndo(pendingUndo.id)}
          >
            <X />
          </button>
        </div>
      ) : null}
    </div>
  )
}
