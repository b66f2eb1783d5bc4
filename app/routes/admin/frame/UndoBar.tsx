import { useEffect, useState } from 'react'
import { failureOf } from '../../../http/trpc.ts'
import { showToast } from '../../../ui/toasts.ts'
import { Undo2, X } from '../../../ui/icons.tsx'
import { forgetUndo, useUndo } from '../../../ui/data-grid/undo.ts'

const shownMs = 12_000

/** What was just done, and the way back, until it is put away or time has passed; not while somebody is about to take it back. */
export function UndoBar() {
  const offered = useUndo()
  const [isHeld, hold] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (!offered || isHeld) return undefined
    const timer = setTimeout(() => forgetUndo(offered.id), shownMs)
    return () => clearTimeout(timer)
  }, [offered, isHeld])
  const takeBack = async (): Promise<void> => {
    if (!offered) return
    setBusy(true)
    try {
      await offered.undo()
    } catch (error) {
      showToast({ kind: 'error', title: 'Could not be undone', text: failureOf(error).message })
    } finally {
      setBusy(false)
      forgetUndo(offered.id)
    }
  }
  return (
    <div role="status">
      {offered ? (
        <div
          className="undo-bar"
          onPointerEnter={() => hold(true)}
          onPointerLeave={() => hold(false)}
          onFocus={() => hold(true)}
          onBlur={() => hold(false)}
        >
          {offered.text}
          <button type="button" className="btn btn-ghost" disabled={isBusy} onClick={() => void takeBack()}>
            <Undo2 /> Undo
          </button>
          <button
            type="button"
            className="btn btn-ghost btn-square"
            aria-label="Dismiss"
            onClick={() => forgetUndo(offered.id)}
          >
            <X />
          </button>
        </div>
      ) : null}
    </div>
  )
}
