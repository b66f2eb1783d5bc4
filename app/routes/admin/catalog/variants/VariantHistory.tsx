import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { trpc } from '../../../../http/trpc.ts'
import { Changes, HistoryDialog } from '../products/HistoryDialog.tsx'
import { nameOfVariant } from './variant-name.ts'

export const VariantHistory = ({ row, onClose }: { row: VariantRow | null; onClose: () => void }) => (
  <HistoryDialog name={row && nameOfVariant(row)} onClose={onClose}>
    {row ? <ChangesOf row={row} /> : null}
  </HistoryDialog>
)

function ChangesOf({ row: { id, productId } }: { row: VariantRow }) {
  return <Changes {...trpc.variants.history.useQuery({ productId, variantId: id })} />
}
