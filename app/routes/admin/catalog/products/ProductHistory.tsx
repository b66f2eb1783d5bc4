import type { ProductRow } from '#domain/catalog/variant-grid.ts'
import { trpc } from '../../../../http/trpc.ts'
import { Changes, HistoryDialog } from './HistoryDialog.tsx'

export const ProductHistory = ({ row, onClose }: { row: ProductRow | null; onClose: () => void }) => (
  <HistoryDialog name={row && row.name} onClose={onClose}>
    {row ? <ChangesOf id={row.id} /> : null}
  </HistoryDialog>
)

const ChangesOf = ({ id }: { id: string }) => <Changes {...trpc.products.history.useQuery({ id })} />
