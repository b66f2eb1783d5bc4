import { can as canUser } from '#domain/accounts/permissions.ts'
import {
  historyQuerySchema,
  stockQuerySchema,
  type StockedVariant,
} from '#domain/inventory/inventory-grid.ts'
import { isId } from '#domain/ids.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { listHistory } from '#server/inventory/list-history.ts'
import { findStockedVariant, listStock, getStockValue } from '#server/inventory/list-stock.ts'
import { getGridSettings } from '#server/grids/grid-settings.ts'
import { useState } from 'react'
import { adminLoader, gridParams } from '../../../http/admin-loader.server.ts'
import { gridPart, useGridUrl } from '../../../ui/data-grid/grid-url.ts'
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
  const { adjust = '', ...stockQuery } = stockParams
  const [stock, stockSettings, history, historySettings, value, toAdjust] = await Promise.all([
    listStock(ctx, stockQuerySchema.parse(stockQuery)),
    getGridSettings(ctx, 'stock'),
    listHistory(ctx, historyQuerySchema.parse(historyParams)),
    getGridSettings(ctx, 'stock-history'),
    canUser(ctx.user, 'costs.read') ? getStockValue(ctx) : null,
    isId(adjust) && canUser(ctx.user, 'stock.write') ? findStockedVariant(ctx, adjust) : null,
  ])
  return {
    stock: { params: stockQuery, page: stock, settings: stockSettings },
    history: { params: historyParams, page: history, settings: historySettings },
    value,
    toAdjust: toAdjust?.isDeleted ? null : toAdjust,
  }
})

/** Stock on hand, low stock, and the ledger (specification, "Admin area"). */
export default function InventoryPage({ loaderData }: Route.ComponentProps) {
  const { stock, history, value, toAdjust } = loaderData
  const { params, go } = useGridUrl()
  const [adjustTarget, setAdjustTarget] = useState<StockedVariant | 'any' | null>(toAdjust)
  // "Go to" can ask for another variant while the page shows.
  const [requested, setRequested] = useState(toAdjust)
  if (requested !== toAdjust) {
    setRequested(toAdjust)
    setAdjustTarget(toAdjust)
  }
  const close = (): void => {
    setAdjustTarget(null)
    // A reload must not open it again.
    if (params['adjust']) go({ adjust: null }, { replace: true })
  }
  const canWrite = useCan()('stock.write')
  const onAdjust = canWrite ? setAdjustTarget : null
  return (
    <AdminPage
      title="Inventory"
      actions={
        <>
          <LinkButton to={adminPaths.lots({ days: 90 })}>Expiring soon</LinkButton>
          <LinkButton to={adminPaths.lots()}>Lots</LinkButton>
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
      {canWrite ? <AdjustDialog target={adjustTarget} onClose={close} /> : null}
    </AdminPage>
  )
}
