import { manufacturerInUse } from '#domain/catalog/manufacturer-messages.ts'
import type { ManufacturerRow } from '#domain/catalog/manufacturer-fields.ts'
import { toCallFailure, trpc } from '../../../../http/trpc.ts'
import { ConfirmDialog } from '../../../../ui/data-grid/ConfirmDialog.tsx'
import { showToast } from '../../../../ui/toasts.ts'

/**
 * Deletes a manufacturer after a confirmation. Any failure has the documented message
 * (specification, section 8), with its cause in the dialog.
 */
export function DeleteManufacturer({ row, onClose }: { row: ManufacturerRow | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const { mutate, isPending, error, reset } = trpc.manufacturers.delete.useMutation({
    onSuccess: async () => {
      close()
      await utils.manufacturers.invalidate()
    },
    onError: () => showToast({ kind: 'error', title: 'Delete Failed', text: manufacturerInUse }),
  })
  const close = (): void => {
    reset()
    onClose()
  }
  const failure = error && toCallFailure(error)
  // The message is the cause when products use it.
  const cause = failure && failure.message !== manufacturerInUse ? failure.message : null
  return (
    <ConfirmDialog
      open={row !== null}
      title="Delete manufacturer"
      actionLabel="Delete"
      isBusy={isPending}
      onConfirm={() => row && mutate({ id: row.id })}
      onClose={close}
    >
      <p>
        Are you sure you want to delete this manufacturer? <b>{row?.name}</b>
      </p>
      {failure ? (
        <p role="alert" className="mt-3 text-error">
          {cause ?? 'Products use it. Change or delete them first.'}
        </p>
      ) : null}
    </ConfirmDialog>
  )
}
