import { orderQuerySchema, type AdminOrder } from '#domain/orders/admin-orders.ts'
import { orderPageSize } from '#domain/orders/order-page-size.ts'
import { orderBadges, orderStatuses, paidStatus } from '#domain/orders/order-status.ts'
import { paymentLabels } from '#domain/orders/payment-hold.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { getGridSettings } from '#server/grids/grid-settings.ts'
import { listAdminOrders } from '#server/orders/list-admin-orders.ts'
import { useMemo } from 'react'
import { OrderStatusBadge } from '../../../components/orders/OrderStatusBadge.tsx'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
import { adminLoader, privateGridParams, readPostedSearch } from '../../../http/admin-loader.server.ts'
import { usePrivateGridUrl } from '../../../ui/data-grid/grid-url.ts'
import { initialFromLoader, trpc } from '../../../http/trpc.ts'
import { useGridSettings } from '../frame/use-grid-settings.ts'
import { BulkBar } from '../../../ui/data-grid/BulkBar.tsx'
import { DataGrid } from '../../../ui/data-grid/DataGrid.tsx'
import { GridFilter } from '../../../ui/data-grid/GridFilter.tsx'
import { GridPager } from '../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../ui/data-grid/GridToolbar.tsx'
import type { GridColumn } from '../../../ui/data-grid/grid-types.ts'
import { useSelection } from '../../../ui/data-grid/use-selection.ts'
import { Link } from '../../../render/Link.tsx'
import type { Route } from './+types/orders'
import { money } from '../frame/money.ts'
import { ConfirmStatusChange } from './ConfirmStatusChange.tsx'
import { BulkStatus } from './BulkStatus.tsx'
import { ReviewBadge } from './ReviewBadge.tsx'
import { StatusSelect } from './StatusSelect.tsx'
import { useStatusChange } from './use-status-change.ts'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useCan } from '../frame/use-can.ts'

const grid = 'orders'

export const loader = adminLoader('orders.read', async (ctx, args: Route.LoaderArgs) => {
  const params = privateGridParams(args)
  const query = orderQuerySchema.parse(params)
  const [page, settings] = await Promise.all([listAdminOrders(ctx, query), getGridSettings(ctx, grid)])
  return { params, page, settings }
})

export const action = readPostedSearch

/** The orders of all customers (specification, "Admin area"). */
export default function OrdersPage({ loaderData }: Route.ComponentProps) {
  const can = useCan()
  const url = usePrivateGridUrl(loaderData.params)
  const settings = useGridSettings(grid, loaderData.settings, url)
  const query = trpc.orders.list.useQuery(url.params, initialFromLoader(loaderData, url.params))
  const { data = loaderData.page, isFetching } = query
  const utils = trpc.useUtils()
  const selection = useSelection(url.params, query)
  const change = useStatusChange({
    patch: (ids, status) => {
      const before = utils.orders.list.getData(url.params)
      utils.orders.list.setData(
        url.params,
        (page) =>
          page && {
            ...page,
            rows: page.rows.map((row) =>
              ids.has(row.id) && !row.isCancelledBeforeShipment ? { ...row, status } : row,
            ),
          },
      )
      return () => utils.orders.list.setData(url.params, before)
    },
    refresh: () => utils.orders.invalidate(),
  })
  const { preview, setOrderStatus } = change
  const columns = useMemo(() => orderColumns({ preview, setOrderStatus }), [preview, setOrderStatus])
  const isFiltered = Boolean(url.params['q'] ?? url.params['status'])
  return (
    <AdminPage title="Orders">
      <div className="mb-3">
        <GridToolbar
          url={url}
          searchLabel="Search orders"
          searchHint="Order, name, email or tracking"
          filters={<GridFilter url={url} name="status" label="Status filter" options={statusOptions} />}
          columns={columns}
          settings={settings}
          {...(can('customers.export') && { exportPath: adminPaths.export('orders') })}
        />
      </div>
      <DataGrid
        label="Orders"
        columns={columns}
        rows={data.rows}
        nameOf={({ id }) => `order ${orderRef(id)}`}
        url={url}
        sort={url.params['sort'] ?? 'date'}
        dir={url.params['dir'] === 'asc' ? 'asc' : 'desc'}
        settings={settings}
        selection={selection}
        empty={isFiltered ? 'No orders match your search.' : 'No orders yet'}
        isBusy={isFetching}
      />
      <BulkBar
        selection={selection}
        onPage={data.rows.length}
        total={data.total}
        results={change.results}
        onDismiss={change.dismiss}
      >
        <BulkStatus
          target={selection.isAll ? { query: { ...url.params } } : { ids: [...selection.ids] }}
          change={change}
          onDone={selection.clear}
        />
      </BulkBar>
      <div className="mt-2">
        <GridPager url={url} page={data} defaultSize={orderPageSize} />
      </div>
      <ConfirmStatusChange change={change} />
    </AdminPage>
  )
}

const statusOptions = [
  ['', 'All statuses'],
  ...orderStatuses.map((status) => [status, orderBadges[status].label] as const),
  [paidStatus, 'Processing and paid'],
] as const

const orderColumns = (
  change: Pick<ReturnType<typeof useStatusChange>, 'preview' | 'setOrderStatus'>,
): GridColumn<AdminOrder>[] => [
  {
    id: 'id',
    header: 'Order',
    cell: ({ id }) => (
      <Link
        to={adminPaths.order(id)}
        // Leaves room beside the link: the cell is a click target too, at least 24 px wide.
        className="text-link cell-link"
        aria-label={`Order ${orderRef(id)}`}
      >
        {orderRef(id)}
      </Link>
    ),
  },
  {
    id: 'date',
    header: 'Date',
    sort: 'date',
    firstDir: 'desc',
    width: 'min-w-28',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDay(createdAt)}</time>,
  },
  {
    id: 'customer',
    header: 'Customer',
    // On a phone the grid scrolls sideways, and most addresses fit.
    width: 'max-md:min-w-72',
    cell: ({ customerName, customerEmail }) => (
      <>
        <span className="block font-semibold">{customerName || '–'}</span>
        {/* A long address is cut: it neither takes two lines nor widens the column. */}
        <span className="cut truncate text-xs text-muted" title={customerEmail}>
          {customerEmail}
        </span>
      </>
    ),
  },
  { id: 'items', header: 'Items', align: 'end', cell: ({ itemCount }) => itemCount },
  {
    id: 'total',
    header: 'Total',
    sort: 'total',
    firstDir: 'desc',
    align: 'end',
    cell: ({ total, captured, refunded, payment }) => (
      <>
        {money(total)}
        {payment === 'charged' ? null : (
          <span className="block whitespace-nowrap text-muted">{paymentLabels[payment]}</span>
        )}
        {refunded === '0.00' ? null : (
          <span className="block text-muted">{refundLabel(captured, refunded)}</span>
        )}
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    sort: 'status',
    width: 'min-w-32',
    cell: ({ status }) => <OrderStatusBadge status={status} />,
  },
  {
    id: 'set',
    header: 'Change status',
    cell: (row) => <StatusSelect order={row} change={change} />,
  },
  {
    id: 'prescription',
    header: 'Prescription',
    width: 'min-w-28',
    cell: (order) => <ReviewBadge order={order} />,
  },
]

const refundLabel = (captured: string, refunded: string): string =>
  captured === refunded ? 'refunded' : `${money(refunded)} refunded`
