import { duplicateErrors } from '#domain/dispensing/duplicate-note.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { useState } from 'react'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { showToast } from '../../../ui/toasts.ts'
import type { Fields } from './case-fields.ts'
import { caseInputs, doneTitle, subjectOf, valuesAfterRefusal, type CaseIntent } from './case-forms.ts'
import type { MedicineOptions } from './transcription-fields.ts'
import { useRestoredFocus } from './use-restored-focus.ts'
import { usePause } from './use-pause.ts'

/** A form of a case that was refused: what was typed, and why. */
export type CaseFormFailure = {
  intent: string
  values: Fields
  message: string | null
  fields: Fields
  /** Without scripts: the medicines that match what was typed. */
  options?: MedicineOptions
}

type CaseFormsOptions = {
  /** The id that the page reads the case by: its own, or that of a prescription. */
  openedId: string
  /** What the page's action answered to a form that was posted without scripts. */
  posted: CaseFormFailure | null
  onDone: (intent: CaseIntent) => void
  /** A form was done, but then the case could not be read again. */
  onUnread: () => void
}

/**
 * Sends the forms of a case, one at a time. A call answers with the case as it is now, or the case
 * is read again. When another pharmacist was first, the answer is their result, which is shown and
 * not overwritten.
 */
export function useCaseForms(
  reviewCase: ReviewCase,
  { openedId, posted, onDone, onUnread }: CaseFormsOptions,
) {
  const { id: caseId } = reviewCase
  const utils = trpc.useUtils()
  const { cases, prescriptions } = utils.client
  const [isBusy, setBusy] = useState(false)
  const [failed, setFailed] = useState(posted)
  const [unread, setUnread] = useState<{ title: string; shown: ReviewCase } | null>(null)
  const pause = usePause()
  const focus = useRestoredFocus(isBusy)

  const show = (current: ReviewCase) => utils.cases.get.setData({ id: openedId }, current)
  const read = (options = {}) => utils.cases.get.invalidate({ id: openedId }, {}, options)
  /** The form was done, also when this read fails, which the page reports. */
  const readAfter = async (title: string): Promise<void> => {
    try {
      await read({ throwOnError: true })
    } catch {
      setUnread({ title, shown: reviewCase })
      onUnread()
    }
  }
  const decide = async (input: Parameters<typeof prescriptions.decide.mutate>[0]): Promise<null> => {
    await prescriptions.decide.mutate(input)
    return null
  }
  const call: Record<CaseIntent, (fields: Fields) => Promise<ReviewCase | null>> = {
    clear: (fields) => cases.clear.mutate(caseInputs.clear(fields)),
    decideAlert: (fields) => cases.decideAlert.mutate(caseInputs.decideAlert(fields)),
    refuse: (fields) => cases.refuse.mutate(caseInputs.refuse(fields)),
    ask: (fields) => cases.ask.mutate(caseInputs.ask(fields)),
    noteCall: (fields) => cases.noteCall.mutate(caseInputs.noteCall(fields)),
    secondCheck: (fields) => cases.secondCheck.mutate(caseInputs.secondCheck(fields)),
    reopen: (fields) => cases.reopen.mutate(caseInputs.reopen(fields)),
    didNotLeave: (fields) => cases.didNotLeave.mutate(caseInputs.didNotLeave(fields)),
    transcribe: (fields) => cases.transcribe.mutate(caseInputs.transcribe(fields)),
    // The answer is the case of the item's prescription, which can be another one.
    closeItem: (fields) => cases.closeItem.mutate(caseInputs.closeItem(fields)),
    reject: (fields) => decide(caseInputs.reject(fields)),
    reviewAgain: (fields) => decide(caseInputs.reviewAgain(fields)),
  }

  /** Returns whether it was done. */
  const send = async (intent: CaseIntent, fields: Fields): Promise<boolean> => {
    if (isBusy || !pause.isOver()) return false
    focus.start()
    setBusy(true)
    try {
      const answer = await call[intent](fields)
      focus.drop()
      setFailed(null)
      if (fields['lineId'] !== undefined) pause.start()
      const title = doneTitle(intent, fields, reviewCase)
      showToast({ kind: 'success', title })
      onDone(intent)
      if (answer?.id === caseId) show(answer)
      else await readAfter(title)
      return true
    } catch (error) {
      const { current, ...failure } = toCallFailure<ReviewCase>(error)
      const values = valuesAfterRefusal(fields, current)
      setFailed({ intent, values, message: failure.message, fields: failure.fields })
      if (current?.id === caseId) show(current)
      // What refused it can be newer than the page: an alert, or a copy of the prescription. No
      // form is sent until that is read, so the read can't replace the answer to a later form.
      else if (current || intent === 'clear' || Object.keys(duplicateErrors(failure.fields)).length > 0)
        await read()
      return false
    } finally {
      setBusy(false)
    }
  }
  const find = (intent: CaseIntent, subject: string): CaseFormFailure | null =>
    failed?.intent === intent && subjectOf(failed.values) === subject ? failed : null
  return {
    send,
    isBusy,
    /** The form that was done before the case, which is still shown, could not be read again. */
    unread: unread?.shown === reviewCase ? unread.title : null,
    /** The last refused form, if it is this one. */
    failureOf: find,
    /** Drops the last refused form, if it is this one: what it sent is no longer edited. */
    forget: (intent: CaseIntent, subject: string): void => {
      if (find(intent, subject)) setFailed(null)
    },
    /** By field, why it was refused. */
    errorsOf: (intent: CaseIntent, subject: string): Fields => find(intent, subject)?.fields ?? none,
    /** Why a form about this was refused, unless one of its fields says it. */
    problemOf: (subject: string): string | null =>
      failed && subjectOf(failed.values) === subject
        ? (failed.fields['line'] ?? (Object.keys(failed.fields).length === 0 ? failed.message : null))
        : null,
  }
}
export type CaseForms = ReturnType<typeof useCaseForms>

const none: Fields = {}
