import { manufacturerInUse } from '#domain/catalog/manufacturer-messages.ts'
import type { ManufacturerRow } from '#domain/catalog/manufacturer-fields.ts'
import { toCallFailure, trpc } from '../../../../http/trpc.ts'
import { ConfirmDialog } from '../../../../ui/data-grid/ConfirmDialog.tsx'
import { showToast } from '../../../../ui/toasts.ts'

/**
 * Deletes a manufacturer after a confirmation. One that is in use stays, with a message
 * (specification, sections 5 and 8).
 */
export function DeleteManufacturer({ row, onClose }: { row: ManufacturerRow | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const { mutate, isPending } = trpc.manufacturers.delete.useMutation({
    onSuccess: async () => {
      onClose()
      await utils.manufacturers.invalidate()
    },
    onError: (error) => {
      onClose()
      const { code, message } = toCallFailure(error)
      const text = code === 'CONFLICT' ? manufacturerInUse : message
      showToast({ kind: 'error', title: 'Delete Failed', text })
    },
  })
  return (
    <ConfirmDialog
      open={row !== null}
      title="Delete manufacturer"
      actionLabel="Delete"
      isBusy={isPending}
      onConfirm={() => row && mutate({ id: row.id })}
      onClose={onClose}
    >
      <p>
        Are you sure you want to delete this manufacturer? <b>{row?.name}</b>
      </p>
    </ConfirmDialog>
  )
}
