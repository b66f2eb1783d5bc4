import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { trpc } from '../../../../http/trpc.ts'
import { ChangeList, HistoryDialog } from '../products/HistoryDialog.tsx'
import { variantName } from './variant-name.ts'

export const VariantHistory = ({ row, onClose }: { row: VariantRow | null; onClose: () => void }) => (
  <HistoryDialog name={row && variantName(row)} onClose={onClose}>
    {row ? <VariantChanges row={row} /> : null}
  </HistoryDialog>
)

function VariantChanges({ row: { id, productId } }: { row: VariantRow }) {
  return <ChangeList {...trpc.variants.history.useQuery({ productId, variantId: id })} />
}
