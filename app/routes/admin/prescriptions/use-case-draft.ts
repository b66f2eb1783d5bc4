import type { CaseDraft } from '#domain/dispensing/review-case.ts'
import { draftPart, hasFields, withDraftPart, withOpenParts } from '#domain/dispensing/draft-fields.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { showToast } from '../../../ui/toasts.ts'
import type { Fields } from './case-fields.ts'
import { draftName } from './draft-names.ts'

/** A pause in typing after which the draft is saved. */
const pauseMs = 1500

/** All parts are saved together. */
export type DraftSaving = 'saved' | 'unsaved' | 'failed'

/**
 * Keeps what was typed into a case, also when the pharmacist leaves. Saving is quiet: each form
 * that has a part shows the state (`DraftState`). After a failure the next pause tries again, and
 * so does leaving or hiding the page.
 * @param openedId the id that the page reads the case by
 */
export function useCaseDraft(caseId: string, openedId: string, stored: CaseDraft | null) {
  const save = trpc.cases.saveDraft.useMutation()
  const { cases } = trpc.useUtils()
  const fields = useRef<Record<string, string>>({ ...stored?.fields })
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const [state, setState] = useState<DraftSaving>('saved')
  const isDirty = useRef(false)
  const saves = useRef(0)
  /** The parts that were changed since they were saved, each after how many saves. */
  const changed = useRef(new Map<string, number>())
  const isMounted = useRef(true)
  const { mutateAsync } = save

  /** Saves what was not saved yet. */
  const flush = useCallback(
    (onFailure?: (error: unknown) => void) => {
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = null
      if (!isDirty.current) return
      isDirty.current = false
      const attempt = ++saves.current
      const current = cases.get.getData({ id: openedId })
      if (current) fields.current = withOpenParts(fields.current, current)
      mutateAsync({ caseId, fields: fields.current }).then(
        () => {
          for (const [part, after] of changed.current) if (after < attempt) changed.current.delete(part)
          // What was typed since is not saved yet.
          if (attempt === saves.current && !isDirty.current) setState('saved')
        },
        (error: unknown) => {
          onFailure?.(error)
          // A later save has the same fields.
          if (attempt !== saves.current) return
          isDirty.current = true
          setState('failed')
          // The case was left: no form says it, and no later save follows.
          if (!isMounted.current && !onFailure) showFailure('Draft not saved', error)
        },
      )
    },
    [cases, caseId, openedId, mutateAsync],
  )
  useEffect(() => {
    // A closed tab or another app on a phone: the page may not get another chance.
    const onHide = () => document.visibilityState === 'hidden' && flush()
    document.addEventListener('visibilitychange', onHide)
    isMounted.current = true
    return () => {
      isMounted.current = false
      document.removeEventListener('visibilitychange', onHide)
      flush()
    }
  }, [flush])

  const read = (part: string): Fields => draftPart(fields.current, part)

  /** Replaces a part, such as a prescription's. `null` removes it: the server has done so. */
  const change = (part: string, typed: Fields | null): void => {
    fields.current = withDraftPart(fields.current, part, typed ?? {})
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = null
    // What was typed for another part may not be saved yet.
    if (typed === null && !hasFields(fields.current) && !isDirty.current) return
    isDirty.current = true
    changed.current.set(part, saves.current)
    setState('unsaved')
    timer.current = setTimeout(flush, pauseMs)
  }

  /** What else was typed and is not saved: "the question about Lisinopril". */
  const unsavedBeside = (part: string): string[] => {
    const current = cases.get.getData({ id: openedId })
    const others = [...changed.current.keys()].filter((other) => other !== part && hasFields(read(other)))
    return current ? others.map((other) => draftName(other, current)) : []
  }

  /** Removes a part, here and on the server. */
  const discard = (part: string): void => {
    if (!hasFields(read(part))) return
    change(part, {})
    // The form is closed, so its state says nothing.
    flush((error) => showFailure('Draft not discarded', error, unsavedBeside(part)))
  }
  return {
    change,
    discard,
    read,
    /** Whether the draft is saved, for the form of a part; null while the part is empty. */
    stateOf: (part: string): DraftSaving | null => (hasFields(read(part)) ? state : null),
  }
}

function showFailure(title: string, error: unknown, alsoUnsaved: readonly string[] = []): void {
  const also = alsoUnsaved.length > 0 ? `Also not saved: ${alsoUnsaved.join(', ')}.` : ''
  showToast({ kind: 'error', title, text: [toCallFailure(error).message, also].filter(Boolean).join(' ') })
}

export type CaseDraftEdit = ReturnType<typeof useCaseDraft>
