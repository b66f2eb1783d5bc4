import type { CaseDraft } from '#domain/dispensing/review-case.ts'
import {
  changedPieces,
  draftPart,
  hasFields,
  partOfPiece,
  withDraftPart,
  withOpenParts,
} from '#domain/dispensing/draft-fields.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { showToast } from '../../../ui/toasts.ts'
import type { Fields } from './case-fields.ts'
import { draftName } from './draft-names.ts'
import { sendDraft } from './send-draft.ts'

/** A pause in typing after which the draft is saved. */
const pauseMs = 1500
/** Typing without a pause is saved this often. */
const longestMs = 4000

/** All parts are saved together. */
export type DraftSaving = 'saved' | 'unsaved' | 'failed'

/**
 * Keeps what was typed into a case, also when the pharmacist leaves. Saving is quiet: each form
 * that has a part shows the state (`DraftState`). After a failure the next pause tries again, and
 * so does leaving or hiding the page. A save names what was changed here: another tab can have the
 * same case open.
 * @param openedId the id that the page reads the case by
 */
export function useCaseDraft(caseId: string, openedId: string, stored: CaseDraft | null) {
  const { mutateAsync } = trpc.cases.saveDraft.useMutation()
  const { cases } = trpc.useUtils()
  const fields = useRef<Record<string, string>>({ ...stored?.fields })
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const [state, setState] = useState<DraftSaving>('saved')
  const isDirty = useRef(false)
  /** When what is not saved yet was first typed, or the last save failed. */
  const dirtySince = useRef(0)
  const saves = useRef(0)
  const underWay = useRef(0)
  /** The save that starts when none is under way: an older text must not replace a newer one. */
  const next = useRef<FlushOptions | null>(null)
  /** The last save that was sent while the page was being left. */
  const lastLeaving = useRef(0)
  /** The pieces or parts that were changed since they were saved, each after how many saves. */
  const changed = useRef(new Map<string, number>())
  const isMounted = useRef(true)

  /** Saves what was not saved yet. */
  const flush = useCallback(
    function save(options: FlushOptions = {}) {
      const { onFailure, isLeaving = false } = options
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = null
      // A save that is under way ends with the page, unless it was sent for that.
      const isCutOff = isLeaving && changed.current.size > 0 && saves.current !== lastLeaving.current
      if (!isDirty.current && !isCutOff) return
      if (underWay.current > 0 && !isLeaving) {
        next.current = { ...next.current, ...options }
        return
      }
      isDirty.current = false
      const attempt = ++saves.current
      const current = cases.get.getData({ id: openedId })
      if (current) fields.current = withOpenParts(fields.current, current)
      if (isLeaving) lastLeaving.current = attempt
      const input = { caseId, fields: fields.current, changed: [...changed.current.keys()] }
      const saving: Promise<unknown> = isLeaving ? sendDraft(input) : mutateAsync(input)
      underWay.current++
      const settled = saving.then(
        () => {
          for (const [piece, after] of changed.current) if (after < attempt) changed.current.delete(piece)
          // What was typed since is not saved yet.
          if (attempt === saves.current) setState(isDirty.current ? 'unsaved' : 'saved')
        },
        (error: unknown) => {
          onFailure?.(error)
          // A later save has the same fields.
          if (attempt !== saves.current) return
          isDirty.current = true
          dirtySince.current = Date.now()
          if (next.current) return
          setState('failed')
          // The case was left: no form says it, and no later save follows.
          if (!isMounted.current && !onFailure) showFailure('Draft not saved', error)
        },
      )
      void settled.then(() => {
        underWay.current--
        const waiting = next.current
        if (underWay.current > 0 || !waiting) return
        next.current = null
        save(waiting)
      })
    },
    [cases, caseId, openedId, mutateAsync],
  )
  useEffect(() => {
    // A closed tab or another app on a phone: the page may not get another chance. `beforeunload`
    // comes before the next page is requested, which can be this case again.
    const onLeave = () => flush({ isLeaving: true })
    const onHide = () => document.visibilityState === 'hidden' && onLeave()
    document.addEventListener('visibilitychange', onHide)
    window.addEventListener('beforeunload', onLeave)
    isMounted.current = true
    return () => {
      isMounted.current = false
      document.removeEventListener('visibilitychange', onHide)
      window.removeEventListener('beforeunload', onLeave)
      flush()
    }
  }, [flush])

  const read = (part: string): Fields => draftPart(fields.current, part)

  const isChanged = (part: string): boolean =>
    [...changed.current.keys()].some((piece) => partOfPiece(piece) === part)

  const markChanged = (pieces: readonly string[]): void => {
    for (const piece of pieces) changed.current.set(piece, saves.current)
    if (!isDirty.current) dirtySince.current = Date.now()
    isDirty.current = true
    // A failure stays until a save succeeds: screen readers would read a second one again.
    setState((shown) => (shown === 'failed' ? shown : 'unsaved'))
    if (timer.current !== null) clearTimeout(timer.current)
    const untilLongest = dirtySince.current + longestMs - Date.now()
    timer.current = setTimeout(() => flush(), Math.max(0, Math.min(pauseMs, untilLongest)))
  }

  /**
   * Replaces a part, such as a prescription's.
   * @param opened what its form showed before anything was typed
   */
  const change = (part: string, typed: Fields, opened: Fields = {}): void => {
    const before = read(part)
    const pieces = changedPieces(part, hasFields(before) ? before : opened, typed)
    fields.current = withDraftPart(fields.current, part, typed)
    if (pieces.length > 0) markChanged(pieces)
  }

  const forgetTyped = (part: string): void => {
    fields.current = withDraftPart(fields.current, part, {})
  }

  /** Removes a part that the server has removed. */
  const forget = (part: string): void => {
    forgetTyped(part)
    // A save that is under way may store it again.
    if (isChanged(part)) markChanged([part])
  }

  /** What else was typed and is not saved: "the question about Lisinopril". */
  const unsavedBeside = (part: string): string[] => {
    const current = cases.get.getData({ id: openedId })
    const parts = new Set([...changed.current.keys()].map(partOfPiece))
    const others = [...parts].filter((other) => other !== part && hasFields(read(other)))
    return current ? others.map((other) => draftName(other, current)) : []
  }

  /** Removes a part, here and on the server. */
  const discard = (part: string): void => {
    if (!hasFields(read(part))) return
    forgetTyped(part)
    markChanged([part])
    // The form is closed, so its state says nothing.
    flush({ onFailure: (error) => showFailure('Draft not discarded', error, unsavedBeside(part)) })
  }
  return {
    change,
    discard,
    forget,
    read,
    /** Whether the draft is saved, for the form of a part; null while the part is empty. */
    stateOf: (part: string): DraftSaving | null => (hasFields(read(part)) ? state : null),
  }
}

type FlushOptions = {
  onFailure?: (error: unknown) => void
  /** Whether the page may be gone before the answer. */
  isLeaving?: boolean
}

function showFailure(title: string, error: unknown, alsoUnsaved: readonly string[] = []): void {
  const also = alsoUnsaved.length > 0 ? `Also not saved: ${alsoUnsaved.join(', ')}.` : ''
  showToast({ kind: 'error', title, text: [toCallFailure(error).message, also].filter(Boolean).join(' ') })
}

export type CaseDraftEdit = ReturnType<typeof useCaseDraft>
