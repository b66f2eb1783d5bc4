import type { ProductRow } from '#domain/catalog/variant-grid.ts'
import { trpc } from '../../../../http/trpc.ts'
import { ChangeList, HistoryDialog } from './HistoryDialog.tsx'

export const ProductHistory = ({ row, onClose }: { row: ProductRow | null; onClose: () => void }) => (
  <HistoryDialog name={row && row.name} onClose={onClose}>
    {row ? <ProductChanges id={row.id} /> : null}
  </HistoryDialog>
)

const ProductChanges = ({ id }: { id: string }) => <ChangeList {...trpc.products.history.useQuery({ id })} />
