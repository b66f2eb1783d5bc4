import { useState } from 'react'
import { toCallFailure, type CallFailure } from '../../../http/trpc.ts'

const hasNoField = ({ fields, current }: CallFailure): boolean =>
  current === null && Object.keys(fields).length === 0

/** Whether the form says enough: another row beside the typed values, or that nothing was saved. */
export const isShownInForm = ({ code, current }: CallFailure): boolean =>
  current !== null || code === 'CONFIRMATION_REQUIRED'

/**
 * The edit of one stored row, for every form of the back office that guards against stale edits.
 * When another admin saved first, the save is refused and `current` is the row as it is stored now:
 * the form shows it beside the typed values (StaleNotice) and continues on it with `rebase`.
 * @param alreadyCurrent the stored row, where a stale edit is known when the form opens
 */
export function useStaleEdit<Row, Initial extends Row | null = Row>(
  initial: Initial,
  alreadyCurrent: Row | null = null,
) {
  const [base, setBase] = useState<Initial | Row>(initial)
  const [failure, setFailure] = useState<CallFailure<Row> | null>(
    alreadyCurrent && { code: 'CONFLICT', message: '', fields: {}, current: alreadyCurrent },
  )
  return {
    /** The row that the edit started from: a save names its version, and an undo restores it. */
    base,
    failure,
    /** By field, why the last save was refused. */
    errors: failure?.fields ?? {},
    current: failure?.current ?? null,
    /** Why the last save failed, if that concerns no field: the connection, or the session. */
    problem: failure && hasNoField(failure) ? failure.message : null,
    fail: (refusal: CallFailure<Row>): void => setFailure(refusal),
    setErrors: (fields: Readonly<Record<string, string>>): void =>
      setFailure({ code: 'INVALID', message: '', fields, current: null }),
    clearError: (field: string): void =>
      setFailure((previous) => previous && { ...previous, fields: { ...previous.fields, [field]: '' } }),
    rebase: (row: Row): void => {
      setBase(row)
      setFailure(null)
    },
    /** Runs a save; returns why it failed, or null. */
    run: async (save: () => Promise<void>): Promise<CallFailure<Row> | null> => {
      try {
        await save()
        return null
      } catch (error) {
        const callFailure = toCallFailure<Row>(error)
        setFailure(callFailure)
        return callFailure
      }
    },
  }
}
