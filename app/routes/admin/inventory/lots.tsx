import { expiryRanges, receivedIntoQuarantine } from '#domain/inventory/inventory-messages.ts'
import { lotQuerySchema, type LotQuery, type LotView } from '#domain/inventory/lot-list.ts'
import { adjustmentFormSchema } from '#domain/inventory/stock-adjustment.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { getGridSettings } from '#server/grids/grid-settings.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { listLots } from '#server/inventory/list-lots.ts'
import { useEffect, useRef } from 'react'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { adminAction, adminLoader, gridParams } from '../../../http/admin-loader.server.ts'
import { formAction } from '../../../http/form-action.server.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { initialFromLoader, trpc } from '../../../http/trpc.ts'
import { Link } from '../../../render/Link.tsx'
import { LinkButton } from '../../../ui/Button.tsx'
import { Clamped } from '../../../ui/data-grid/Clamped.tsx'
import { DataGrid } from '../../../ui/data-grid/DataGrid.tsx'
import { GridFilter } from '../../../ui/data-grid/GridFilter.tsx'
import { GridPager } from '../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../ui/data-grid/GridToolbar.tsx'
import { useGridUrl } from '../../../ui/data-grid/grid-url.ts'
import type { GridColumn } from '../../../ui/data-grid/grid-types.ts'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useCan } from '../frame/use-can.ts'
import { useGridSettings } from '../frame/use-grid-settings.ts'
import type { Route } from './+types/lots'
import { ExpiryBadge, LotBadge } from './LotBadges.tsx'
import { ReceiveLot } from './ReceiveLot.tsx'
import { variantName } from './variant-name.ts'

const grid = 'lots'

export const loader = adminLoader('stock.read', async (ctx, args: Route.LoaderArgs) => {
  const params = gridParams(args)
  const [page, settings] = await Promise.all([
    listLots(ctx, lotQuerySchema.parse(params)),
    getGridSettings(ctx, grid),
  ])
  return { params, page, settings, requestKey: crypto.randomUUID() }
})

export const action = adminAction('stock.write', (ctx, args: Route.ActionArgs, form) =>
  formAction(
    form,
    adjustmentFormSchema,
    async (input) => {
      const { quantityAfter, lotNumber, lotStatus } = await adjustStock(ctx, input)
      if (lotNumber !== undefined && lotStatus === 'quarantined') {
        const path = adminPaths.lots({ variant: input.variantId, show: 'quarantined' })
        return redirectWithToast(args, path, receivedIntoQuarantine(lotNumber))
      }
      return redirectWithToast(args, adminPaths.lots({ variant: input.variantId }), {
        kind: 'success',
        title: `Units added: now ${quantityAfter} on hand`,
      })
    },
    ctx,
  ),
)

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

export { revalidateAfterConflict as shouldRevalidate } from '../../../http/revalidate-after-conflict.ts'

const views = [
  ['', 'Available'],
  ['quarantined', 'In quarantine'],
  ['expired', 'Expired'],
  ['all', 'All'],
] as const satisfies readonly (readonly [LotQuery['show'] | '', string])[]

const ranges = [
  ['', 'Any time'],
  ...expiryRanges.map((days) => [`${days}`, `${days} days`] as const),
] as const

/** The lots of all variants or of one. */
export default function LotsPage({ loaderData, actionData }: Route.ComponentProps) {
  const url = useGridUrl()
  const settings = useGridSettings(grid, loaderData.settings, url)
  const { data = loaderData.page, isFetching } = trpc.inventory.allLots.useQuery(
    url.params,
    initialFromLoader(loaderData, url.params),
  )
  const utils = trpc.useUtils()
  const { requestKey } = loaderData
  const shownKey = useRef(requestKey)
  // The loader ran again: units were received, so the cached queries are stale.
  useEffect(() => {
    if (shownKey.current !== requestKey) void utils.inventory.invalidate()
    shownKey.current = requestKey
  }, [requestKey, utils])
  const { variant } = data
  const canWrite = useCan()('stock.write')
  return (
    <AdminPage
      title={variant ? `Lots: ${variantName(variant)}` : 'Lots'}
      back={{ to: adminPaths.inventory, label: 'Inventory' }}
    >
      <div className="mb-3">
        <GridToolbar
          url={url}
          searchLabel="Search lots"
          filters={
            <>
              <GridFilter url={url} name="show" label="Show" options={views} />
              <GridFilter url={url} name="days" label="Expires in" options={ranges} />
            </>
          }
          columns={lotColumns}
          settings={settings}
          actions={
            url.params['variant'] ? (
              <LinkButton kind="quiet" to={adminPaths.lots()}>
                Lots of all variants
              </LinkButton>
            ) : null
          }
        />
      </div>
      <DataGrid
        label="Lots"
        columns={lotColumns}
        rows={data.rows}
        nameOf={({ lotNumber }) => lotNumber}
        url={url}
        sort={url.params['sort'] ?? 'expires'}
        dir={url.params['dir'] === 'desc' ? 'desc' : 'asc'}
        settings={settings}
        empty="No lots found."
        isBusy={isFetching}
      />
      <div className="mt-2 mb-4">
        <GridPager url={url} page={data} />
      </div>
      {variant && !variant.isDeleted && canWrite ? (
        <ReceiveLot
          // Resets the form after units are received.
          key={requestKey}
          variantId={variant.id}
          requestKey={requestKey}
          failure={actionData ?? null}
        />
      ) : null}
    </AdminPage>
  )
}

const lotColumns: GridColumn<LotView>[] = [
  {
    id: 'lot',
    header: 'Lot',
    sort: 'lot',
    cell: ({ id, lotNumber }) => (
      <Link to={adminPaths.lot(id)} className="text-link cell-link whitespace-nowrap">
        {lotNumber}
      </Link>
    ),
  },
  {
    id: 'variant',
    header: 'Variant',
    sort: 'product',
    width: 'min-w-52',
    cell: ({ variantId, productName, label }) => (
      <>
        <Link to={adminPaths.lots({ variant: variantId })} className="font-semibold hover:underline">
          <Clamped text={productName} lines={1} />
        </Link>
        <Clamped text={label} lines={1} className="text-muted" />
      </>
    ),
  },
  {
    id: 'expires',
    header: 'Expires',
    sort: 'expires',
    cell: ({ expiresOn, daysLeft }) => (
      <span className="whitespace-nowrap">
        {formatDay(expiresOn)} <ExpiryBadge daysLeft={daysLeft} />
      </span>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <LotBadge status={status} /> },
  {
    id: 'quantity',
    header: 'Quantity',
    align: 'end',
    sort: 'quantity',
    firstDir: 'desc',
    cell: ({ quantity }) => quantity.toLocaleString('en-US'),
  },
]
