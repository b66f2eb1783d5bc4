import {
  historyQuerySchema,
  stockQuerySchema,
  type StockedVariant,
} from '#domain/inventory/inventory-grid.ts'
import { listHistory } from '#server/inventory/list-history.ts'
import { listStock, getStockValue } from '#server/inventory/list-stock.ts'
import { getHiddenColumns } from '#server/grids/hidden-columns.ts'
import { useState } from 'react'
import { adminLoader, gridParams } from '../../../http/admin-loader.server.ts'
import { gridPart } from '../../../ui/data-grid/grid-url.ts'
import { trpc } from '../../../http/trpc.ts'
import { Boxes } from '../../../ui/admin-icons.tsx'
import { Button } from '../../../ui/Button.tsx'
import type { Route } from './+types/inventory'
import { AdjustDialog } from './AdjustDialog.tsx'
import { HistorySection } from './HistorySection.tsx'
import { StockSection } from './StockSection.tsx'
import { ValueFigures } from './ValueFigures.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'

export const loader = adminLoader(async (ctx, args: Route.LoaderArgs) => {
  const params = gridParams(args)
  const [stockParams, historyParams] = [gridPart(params), gridPart(params, 'history')]
  const [stock, stockHidden, history, historyHidden, value] = await Promise.all([
    listStock(ctx, stockQuerySchema.parse(stockParams)),
    getHiddenColumns(ctx, 'stock'),
    listHistory(ctx, historyQuerySchema.parse(historyParams)),
    getHiddenColumns(ctx, 'stock-history'),
    getStockValue(ctx),
  ])
  return {
    stock: { params: stockParams, page: stock, hidden: stockHidden },
    history: { params: historyParams, page: history, hidden: historyHidden },
    value,
  }
})

/** Stock on hand, low stock, and the ledger (specification, "Admin area"). */
export default function InventoryPage({ loaderData: { stock, history, value } }: Route.ComponentProps) {
  const [adjustTarget, setAdjustTarget] = useState<StockedVariant | 'any' | null>(null)
  const { data: stockValue } = trpc.inventory.value.useQuery(undefined, { initialData: value })
  return (
    <AdminPage
      title="Inventory"
      actions={
        <Button type="button" kind="primary" onClick={() => setAdjustTarget('any')}>
          <Boxes /> Adjust Stock
        </Button>
      }
    >
      <ValueFigures value={stockValue} />
      <StockSection loaded={stock} onAdjust={setAdjustTarget} />
      <HistorySection loaded={history} onAdjust={setAdjustTarget} />
      <AdjustDialog target={adjustTarget} onClose={() => setAdjustTarget(null)} />
    </AdminPage>
  )
}
