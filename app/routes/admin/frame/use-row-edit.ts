import { useState } from 'react'
import type { StaleField } from '../../../ui/data-grid/StaleNotice.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { isShownInForm, useStaleEdit } from './use-stale-edit.ts'

/** The fields whose typed value differs from the current row, by their labels. */
export const staleFields = <Values extends Record<string, string | boolean>>(
  labels: { readonly [Name in keyof Values]: string },
  yours: Values,
  current: Values,
): StaleField[] =>
  Object.entries<string>(labels).flatMap(([field, label]) => {
    const [typed = '', stored = ''] = [yours[field], current[field]]
    return typed === stored ? [] : [{ label, yours: displayValue(typed), current: displayValue(stored) }]
  })

const displayValue = (value: string | boolean): string =>
  typeof value === 'string' ? value.replaceAll('\n', ', ') : value ? 'Yes' : 'No'

type RowEdit<Row, Values, Initial> = {
  /** The row as it was opened; null for a new one. */
  row: Initial
  initialValues: Values
  toFormValues: (row: Row) => Values
  labels: { readonly [Name in keyof Values]: string }
}

/** A form that creates or edits one row of a grid. The typed values survive every failure. */
export function useRowEdit<Row, Values extends Record<string, string | boolean>, Initial extends Row | null>({
  row,
  initialValues,
  toFormValues,
  labels,
}: RowEdit<Row, Values, Initial>) {
  const [values, setValues] = useState(initialValues)
  const { base, errors, current, problem, rebase, fail, setErrors, clearError, run } = useStaleEdit<
    Row,
    Initial
  >(row)
  const reset = (to: Row): void => {
    setValues(toFormValues(to))
    rebase(to)
  }
  return {
    values,
    update: (change: Partial<Values>): void => setValues((previous) => ({ ...previous, ...change })),
    /** Continues the edit on this row, with its values. */
    reset,
    /** The same after a save: what was typed since the values were sent stays. */
    continueFrom: (saved: Row, sent: Values): void => {
      setValues((typed) => {
        const since = Object.entries(typed).filter(([field, value]) => value !== sent[field])
        return { ...toFormValues(saved), ...Object.fromEntries(since) }
      })
      rebase(saved)
    },
    base,
    errors,
    problem,
    /** Shows why another call refused the typed values. */
    fail,
    setErrors,
    clearError,
    /** Props for StaleNotice; null unless another admin has changed the row. */
    stale: current && {
      fields: staleFields(labels, values, toFormValues(current)),
      onUseCurrent: () => reset(current),
      onKeepEdit: () => rebase(current),
    },
    /** Saves. A failure appears beside its fields and as a toast with `failureText`. */
    submit: async (save: () => Promise<void>, failureText?: string): Promise<void> => {
      const failure = await run(save)
      if (failure === null || isShownInForm(failure)) return
      const text = failureText ?? Object.values(failure.fields)[0] ?? failure.message
      showToast({ kind: 'error', title: row ? 'Update Failed' : 'Creation Failed', text })
    },
  }
}
