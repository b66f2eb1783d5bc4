import { useEffect, useState } from 'react'
import { toCallFailure } from '../../../http/trpc.ts'
import { showToast } from '../../../ui/toasts.ts'
import { Undo2, X } from '../../../ui/icons.tsx'
import { dismissUndo, useUndo } from '../../../ui/data-grid/undo.ts'

const shownMs = 12_000

/**
 * Reports the last change and offers to undo it, for a while or until dismissed. It stays while the
 * pointer or the focus is on it.
 */
export function UndoBar() {
  const offered = useUndo()
  const [isHeld, setHeld] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (!offered || isHeld) return undefined
    const timer = setTimeout(() => dismissUndo(offered.id), shownMs)
    return () => clearTimeout(timer)
  }, [offered, isHeld])
  const undo = async (): Promise<void> => {
    if (!offered) return
    setBusy(true)
    try {
      await offered.undo()
    } catch (error) {
      showToast({ kind: 'error', title: 'Undo Failed', text: toCallFailure(error).message })
    } finally {
      setBusy(false)
      dismissUndo(offered.id)
    }
  }
  return (
    <div role="status">
      {offered ? (
        <div
          className="undo-bar"
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
        >
          {offered.text}
          <button type="button" className="btn btn-ghost" disabled={isBusy} onClick={() => void undo()}>
            <Undo2 /> Undo
          </button>
          <button
            type="button"
            className="btn btn-ghost btn-square"
            aria-label="Dismiss"
            onClick={() => dismissUndo(offered.id)}
          >
            <X />
          </button>
        </div>
      ) : null}
    </div>
  )
}
