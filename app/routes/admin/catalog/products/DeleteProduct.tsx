import type { ProductRow } from '#domain/catalog/variant-grid.ts'
import { trpc } from '../../../../http/trpc.ts'
import { ConfirmDialog } from '../../../../ui/data-grid/ConfirmDialog.tsx'
import { clearUndo } from '../../../../ui/data-grid/undo.ts'
import { showToast } from '../../../../ui/toasts.ts'

/** Deletes a product after a warning (specification, section 5). */
export function DeleteProduct({ row, onClose }: { row: ProductRow | null; onClose: () => void }) {
  const utils = trpc.useUtils()
  const { mutate, isPending } = trpc.products.delete.useMutation({
    onSuccess: async () => {
      clearUndo()
      showToast({ kind: 'success', title: 'Product Deleted', text: 'Product has been deleted successfully' })
      onClose()
      await Promise.all([utils.products.invalidate(), utils.variants.invalidate()])
    },
    onError: () => {
      onClose()
      showToast({ kind: 'error', title: 'Delete Failed', text: 'Failed to delete product' })
    },
  })
  return (
    <ConfirmDialog
      open={row !== null}
      title="Delete product"
      actionLabel="Delete"
      isBusy={isPending}
      onConfirm={() => row && mutate({ id: row.id })}
      onClose={onClose}
    >
      <p>
        <b>{row?.name}</b> will be deleted. This action cannot be undone. This will also delete all associated
        variants{row ? ` (${row.variantCount})` : null}.
      </p>
    </ConfirmDialog>
  )
}
