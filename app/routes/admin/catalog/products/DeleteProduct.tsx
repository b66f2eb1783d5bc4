import type { ProductRow } from '#domain/catalog/variant-grid.ts'
import { toCallFailure, trpc } from '../../../../http/trpc.ts'
import { ConfirmDialog } from '../../../../ui/data-grid/ConfirmDialog.tsx'
import { clearUndo } from '../../../../ui/data-grid/undo.ts'
import { showToast } from '../../../../ui/toasts.ts'

/**
 * Deletes a product after a warning (specification, section 5). The toast of a failure is the
 * documented one; its cause is in the dialog.
 */
export function DeleteProduct({ row, onClose }: { row: ProductRow | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const { mutate, isPending, error, reset } = trpc.products.delete.useMutation({
    onSuccess: async () => {
      clearUndo()
      showToast({ kind: 'success', title: 'Product Deleted', text: 'Product has been deleted successfully' })
      close()
      await Promise.all([utils.products.invalidate(), utils.variants.invalidate()])
    },
    onError: () => showToast({ kind: 'error', title: 'Delete Failed', text: 'Failed to delete product' }),
  })
  const preview = trpc.products.previewDeletion.useQuery({ id: row?.id ?? '' }, { enabled: row !== null })
  const close = (): void => {
    reset()
    onClose()
  }
  return (
    <ConfirmDialog
      open={row !== null}
      title="Delete product"
      actionLabel="Delete"
      // The admin first reads what the shop still has.
      isBusy={isPending || preview.isLoading}
      onConfirm={() => row && mutate({ id: row.id })}
      onClose={close}
    >
      <p>
        <b>{row?.name}</b> will be deleted. This action cannot be undone. This will also delete all associated
        variants{row ? ` (${row.variantCount})` : null}.
      </p>
      {preview.data?.uses ? (
        <p className="mt-3">
          This product still has <b>{preview.data.uses}</b>. Existing orders are kept. Units and lots of a
          deleted product can’t be sold.
        </p>
      ) : null}
      {preview.isError ? (
        <p role="alert" className="mt-3">
          We couldn’t check the product’s stock and orders.
        </p>
      ) : null}
      {error ? (
        <p role="alert" className="mt-3 text-error">
          {toCallFailure(error).message}
        </p>
      ) : null}
    </ConfirmDialog>
  )
}
