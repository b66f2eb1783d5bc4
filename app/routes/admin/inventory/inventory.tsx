import { historyQuerySchema, stockQuerySchema, type StockedVariant } from '#domain/inventory/inventory-grid.ts'
import { listHistory } from '#server/inventory/list-history.ts'
import { listStock, readStockValue } from '#server/inventory/list-stock.ts'
import { readHiddenColumns } from '#server/grids/hidden-columns.ts'
import { useState } from 'react'
import { adminLoader, gridParamsOf } from '../../../http/admin-loader.server.ts'
import { partOf } from '../../../ui/data-grid/grid-url.ts'
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
  const all = gridParamsOf(args)
  const [stockParams, historyParams] = [partOf(all), partOf(all, 'history')]
  const [stock, stockHidden, history, historyHidden, value] = await Promise.all([
    listStock(ctx, stockQuerySchema.parse(stockParams)),
    readHiddenColumns(ctx, 'stock'),
    listHistory(ctx, historyQuerySchema.parse(historyParams)),
    readHiddenColumns(ctx, 'stock-history'),
    readStockValue(ctx),
  ])
  return {
    stock: { params: stockParams, page: stock, hidden: stockHidden },
    history: { params: historyParams, page: history, hidden: historyHidden },
    value,
  }
})

/** What is at hand, what runs low, and what came and went (specification, "Admin area"). */
export default function InventoryPage({ loaderData: { stock, history, value } }: Route.ComponentProps) {
  const [adjusted, adjust] = useState<StockedVariant | 'any' | null>(null)
  const { data: worth } = trpc.inventory.value.useQuery(undefined, { initialData: value })
  return (
    <AdminPage
      title="Inventory"
      actions={
        <Button type="button" kind="primary" onClick={() => adjust('any')}>
          <Boxes /> Adjust Stock
        </Button>
      }
    >
      <ValueFigures value={worth} />
      <StockSection loaded={stock} onAdjust={adjust} />
      <HistorySection loaded={history} onAdjust={adjust} />
      <AdjustDialog adjusted={adjusted} onClose={() => adjust(null)} />
    </AdminPage>
  )
}
