import { can as canUser } from '#domain/accounts/permissions.ts'
import {
  historyQuerySchema,
  stockQuerySchema,
  type StockedVariant,
} from '#domain/inventory/inventory-grid.ts'
import { paths } from '#domain/paths.ts'
import { listHistory } from '#server/inventory/list-history.ts'
import { listStock, getStockValue } from '#server/inventory/list-stock.ts'
import { getGridSettings } from '#server/grids/grid-settings.ts'
import { useState } from 'react'
import { adminLoader, gridParams } from '../../../http/admin-loader.server.ts'
import { gridPart } from '../../../ui/data-grid/grid-url.ts'
import { Boxes } from '../../../ui/admin-icons.tsx'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import type { Route } from './+types/inventory'
import { AdjustDialog } from './AdjustDialog.tsx'
import { HistorySection } from './HistorySection.tsx'
import { StockSection } from './StockSection.tsx'
import { ValueFigures } from './ValueFigures.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useCan } from '../frame/use-can.ts'

export const loader = adminLoader('stock.read', async (ctx, args: Route.LoaderArgs) => {
  const params = gridParams(args)
  const [stockParams, historyParams] = [gridPart(params), gridPart(params, 'history')]
  const [stock, stockSettings, history, historySettings, value] = await Promise.all([
    listStock(ctx, stockQuerySchema.parse(stockParams)),
    getGridSettings(ctx, 'stock'),
    listHistory(ctx, historyQuerySchema.parse(historyParams)),
    getGridSettings(ctx, 'stock-history'),
    canUser(ctx.user, 'costs.read') ? getStockValue(ctx) : null,
  ])
  return {
    stock: { params: stockParams, page: stock, settings: stockSettings },
    history: { params: historyParams, page: history, settings: historySettings },
    value,
  }
})

/** Stock on hand, low stock, and the ledger (specification, "Admin area"). */
export default function InventoryPage({ loaderData: { stock, history, value } }: Route.ComponentProps) {
  const [adjustTarget, setAdjustTarget] = useState<StockedVariant | 'any' | null>(null)
  const canWrite = useCan()('stock.write')
  const onAdjust = canWrite ? setAdjustTarget : null
  return (
    <AdminPage
      title="Inventory"
      actions={
        <>
          <LinkButton to={paths.admin.lots({ days: 90 })}>Expiring soon</LinkButton>
          <LinkButton to={paths.admin.lots()}>Lots</LinkButton>
          {canWrite ? (
            <Button type="button" kind="primary" onClick={() => setAdjustTarget('any')}>
              <Boxes /> Adjust Stock
            </Button>
          ) : null}
        </>
      }
    >
      {value ? <ValueFigures loaded={value} /> : null}
      <StockSection loaded={stock} onAdjust={onAdjust} />
      <HistorySection loaded={history} onAdjust={onAdjust} />
      {canWrite ? <AdjustDialog target={adjustTarget} onClose={() => setAdjustTarget(null)} /> : null}
    </AdminPage>
  )
}
