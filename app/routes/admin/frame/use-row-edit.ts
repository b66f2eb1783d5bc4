import { useState } from 'react'
import { failureOf, type CallFailure } from '../../../http/trpc.ts'
import type { StaleField } from '../../../ui/data-grid/StaleNotice.tsx'
import { showToast } from '../../../ui/toasts.ts'

/** What differs between what one typed and what stands there now, by the fields' labels. */
export const staleFields = <Typed extends Record<string, string | boolean>>(
  labels: { readonly [Name in keyof Typed]: string },
  mine: Typed,
  theirs: Typed,
): StaleField[] =>
  Object.entries<string>(labels).flatMap(([field, name]) => {
    const [own = '', other = ''] = [mine[field], theirs[field]]
    return own === other ? [] : [{ name, mine: written(own), theirs: written(other) }]
  })

const written = (value: string | boolean): string =>
  typeof value === 'string' ? value.replaceAll('\n', ', ') : value ? 'Yes' : 'No'

type RowEdit<Row, Typed> = {
  /** The row as it was opened; null of a new one. */
  row: Row | null
  blank: Typed
  typedOf: (row: Row) => Typed
  labels: { readonly [Name in keyof Typed]: string }
}

/** A form over one row of a grid: what is typed stays whatever becomes of it, and what somebody else has changed meanwhile is shown beside it. */
export function useRowEdit<Row, Typed extends Record<string, string | boolean>>({
  row,
  blank,
  typedOf,
  labels,
}: RowEdit<Row, Typed>) {
  const [typed, setTyped] = useState(row ? typedOf(row) : blank)
  const [base, setBase] = useState(row)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const theirs = (failure?.current ?? null) as Row | null
  const goOn = (from: Row): void => {
    setBase(from)
    setFailure(null)
  }
  return {
    typed,
    say: (change: Partial<Typed>): void => setTyped({ ...typed, ...change }),
    /** The row that is changed: what an undo brings back. */
    base,
    errors: failure?.fields ?? {},
    /** For StaleNotice; null while nobody has changed the row. */
    stale: theirs && {
      fields: staleFields(labels, typed, typedOf(theirs)),
      onTake: () => {
        setTyped(typedOf(theirs))
        goOn(theirs)
      },
      onKeep: () => goOn(theirs),
    },
    /** Saves; a refusal is told and stands beside its fields. */
    attempt: async (save: () => Promise<void>): Promise<void> => {
      try {
        await save()
      } catch (error) {
        const failed = failureOf(error)
        setFailure(failed)
        if (failed.current !== null) return
        const text = Object.values(failed.fields)[0] ?? failed.message
        showToast({ kind: 'error', title: row ? 'Update Failed' : 'Creation Failed', text })
      }
    },
  }
}
