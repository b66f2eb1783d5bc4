import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { useCallback } from 'react'
import { trpc } from '../../../../http/trpc.ts'
import { offerUndo } from '../../../../ui/data-grid/undo.ts'
import { saveWithRetry } from '../../frame/save-with-retry.ts'
import { variantName } from './variant-name.ts'
import { hasConflict } from './stale-variant.ts'
import { toFormValues, toVariantInput, type VariantInput } from './variant-input.ts'

/**
 * Saves the changed fields of a variant and offers an undo; the edit dialog and the price cell both
 * use it. Throws what the call threw; a conflict only when another admin's edit concerns these
 * changes.
 */
export function useSaveVariant() {
  const utils = trpc.useUtils()
  const { mutateAsync, isPending } = trpc.variants.update.useMutation()
  const save = useCallback(
    async (row: VariantRow, changes: Partial<VariantInput>): Promise<VariantRow> => {
      const saved = await saveWithRetry(
        { id: row.id, version: row.version, ...changes },
        (input): Promise<VariantRow> => mutateAsync(input),
        (current) => hasConflict(row, current, changes),
      )
      const restored = fieldsBefore(row, changes)
      if (restored) {
        offerUndo(`Updated ${variantName(saved)}.`, {
          undo: () => mutateAsync({ id: row.id, version: saved.version, ...restored }),
          refresh: () => Promise.all([utils.variants.invalidate(), utils.products.invalidate()]),
        })
      }
      return saved
    },
    [mutateAsync, utils],
  )
  return { save, isPending }
}

/** The changed fields as they were; null when one was blank that must not be blank. */
function fieldsBefore(row: VariantRow, changes: Partial<VariantInput>): Partial<VariantInput> | null {
  const before = { ...toVariantInput(toFormValues(row)), inStock: row.inStock }
  const restored = Object.entries(before).filter(
    ([name]) =>
      Object.hasOwn(changes, name) ||
      // Stock that comes back from 0 would put a variant on sale that was taken off.
      (name === 'inStock' && Object.hasOwn(changes, 'stockQuantity')),
  )
  return restored.some(([, value]) => value === '') ? null : Object.fromEntries(restored)
}
