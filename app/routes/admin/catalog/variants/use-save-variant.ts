import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { useCallback } from 'react'
import { failureOf, trpc } from '../../../../http/trpc.ts'
import { offerUndo } from '../../../../ui/data-grid/undo.ts'
import { nameOfVariant } from './variant-name.ts'
import { wasEdited } from './stale-variant.ts'
import { typedOf, wireOf, type VariantWire } from './variant-input.ts'

export type SaveOutcome =
  | { kind: 'saved'; row: VariantRow }
  /** Somebody has edited it meanwhile; nothing was changed. */
  | { kind: 'stale'; theirs: VariantRow }
  | { kind: 'refused'; message: string; fields: Readonly<Record<string, string>> }

/** A sale changes a row's version each time; so often is tried again. */
const mostTries = 5

/** Saves what was changed of a variant and offers to take it back. What nobody edited, a sale say, stands in nobody's way. */
export function useSaveVariant() {
  const utils = trpc.useUtils()
  const { mutateAsync, isPending } = trpc.variants.update.useMutation()
  const save = useCallback(
    async (row: VariantRow, changes: Partial<VariantWire>): Promise<SaveOutcome> => {
      let { version } = row
      for (let tries = 1; ; tries++) {
        try {
          const saved = await mutateAsync({ id: row.id, version, ...changes })
          const opposite = theOpposite(row, changes)
          if (opposite) {
            offerUndo(`${nameOfVariant(saved)} was changed.`, async () => {
              await mutateAsync({ id: row.id, version: saved.version, ...opposite })
              await Promise.all([utils.variants.invalidate(), utils.products.invalidate()])
            })
          }
          return { kind: 'saved', row: saved }
        } catch (error) {
          const { current, message, fields } = failureOf(error)
          if (current === null) return { kind: 'refused', message, fields }
          const theirs = current as VariantRow
          if (wasEdited(row, theirs, changes) || tries === mostTries) return { kind: 'stale', theirs }
          version = theirs.version
        }
      }
    },
    [mutateAsync, utils],
  )
  return { save, isPending }
}

/** The same fields as they were; null when one was blank that may not be left so. */
function theOpposite(row: VariantRow, changes: Partial<VariantWire>): Partial<VariantWire> | null {
  const before = { ...wireOf(typedOf(row)), inStock: row.inStock }
  const opposite = Object.entries(before).filter(([name]) => Object.hasOwn(changes, name))
  return opposite.some(([, value]) => value === '') ? null : Object.fromEntries(opposite)
}
