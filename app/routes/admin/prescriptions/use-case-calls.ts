import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { useState } from 'react'
import { toCallFailure, trpc, type CallFailure } from '../../../http/trpc.ts'

/** Why an action on a case was refused, and on which part of the case. */
export type CaseFailure = { on: string; failure: CallFailure<ReviewCase> }

/**
 * Runs the actions of a case, one at a time. Each answers with the case as it is now. When another
 * pharmacist was first, the answer is their result, which is shown and not overwritten.
 */
export function useCaseCalls(caseId: string) {
  const utils = trpc.useUtils()
  const [isBusy, setBusy] = useState(false)
  const [failed, setFailed] = useState<CaseFailure | null>(null)
  /**
   * @param on the line's or the prescription's id, which shows a failure
   * @returns the case after the action, or null
   */
  const run = async (on: string, call: () => Promise<ReviewCase>): Promise<ReviewCase | null> => {
    if (isBusy) return null
    setBusy(true)
    try {
      const current = await call()
      setFailed(null)
      utils.cases.get.setData({ id: caseId }, current)
      return current
    } catch (error) {
      const failure = toCallFailure<ReviewCase>(error)
      if (failure.current) utils.cases.get.setData({ id: caseId }, failure.current)
      setFailed({ on, failure })
      return null
    } finally {
      setBusy(false)
    }
  }
  return {
    run,
    isBusy,
    clearFailure: () => setFailed(null),
    /** Whether another pharmacist was first. The part shows what they did. */
    isStale: (on: string): boolean => failed?.on === on && failed.failure.current !== null,
    /** By field, why the last action on this part was refused. */
    errorsOf: (on: string): Readonly<Record<string, string>> =>
      failed?.on === on ? failed.failure.fields : noErrors,
    /** The same as a sentence; null when the fields say it all. */
    problemOf: (on: string): string | null =>
      failed?.on === on && Object.keys(failed.failure.fields).filter((name) => name !== 'line').length === 0
        ? failed.failure.message
        : null,
  }
}
export type CaseCalls = ReturnType<typeof useCaseCalls>

const noErrors: Readonly<Record<string, string>> = {}
