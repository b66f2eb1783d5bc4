import type { CaseDraft } from '#domain/dispensing/review-case.ts'
import { draftPart, hasFields, withDraftPart, withOpenParts } from '#domain/dispensing/draft-fields.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { trpc } from '../../../http/trpc.ts'
import type { Fields } from './case-fields.ts'

/** A pause in typing after which the draft is saved. */
const pauseMs = 1500

/**
 * Keeps what was typed into a case, also when the pharmacist leaves. Saving is quiet: a failure is
 * shown beside the form, and the next pause tries again.
 */
export function useCaseDraft(caseId: string, stored: CaseDraft | null) {
  const save = trpc.cases.saveDraft.useMutation()
  const { cases } = trpc.useUtils()
  const fields = useRef<Record<string, string>>({ ...stored?.fields })
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const [state, setState] = useState<'saved' | 'unsaved' | 'failed' | null>(stored ? 'saved' : null)
  const { mutateAsync } = save

  const flush = useCallback(() => {
    if (timer.current === null) return
    clearTimeout(timer.current)
    timer.current = null
    const current = cases.get.getData({ id: caseId })
    if (current) fields.current = withOpenParts(fields.current, current)
    mutateAsync({ caseId, fields: fields.current }).then(
      () => setState((state) => (state === 'unsaved' || state === 'failed' ? 'saved' : state)),
      () => setState('failed'),
    )
  }, [cases, caseId, mutateAsync])
  useEffect(() => {
    // A closed tab or another app on a phone: the page may not get another chance.
    const onHide = () => document.visibilityState === 'hidden' && flush()
    document.addEventListener('visibilitychange', onHide)
    return () => {
      document.removeEventListener('visibilitychange', onHide)
      flush()
    }
  }, [flush])

  /** Replaces a part, such as a prescription's. `null` removes it: the server has done so. */
  const change = (part: string, changed: Fields | null): void => {
    fields.current = withDraftPart(fields.current, part, changed ?? {})
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = null
    // What was typed for another part may not be saved yet.
    if (changed === null && !hasFields(fields.current)) return setState(null)
    setState('unsaved')
    timer.current = setTimeout(flush, pauseMs)
  }

  /** Removes a part, here and on the server. */
  const discard = (part: string): void => {
    if (hasFields(draftPart(fields.current, part))) {
      change(part, {})
      flush()
    }
    setState(null)
  }
  return { change, discard, read: (part: string): Fields => draftPart(fields.current, part), state }
}
export type CaseDraftEdit = ReturnType<typeof useCaseDraft>
