import type { StockedVariant, StockPage, StockRow } from '#domain/inventory/inventory-grid.ts'
import { stockViews } from '#domain/inventory/inventory-messages.ts'
import { lowStock } from '#domain/inventory/inventory.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { useMemo } from 'react'
import { useGridUrl, type GridParams, type GridUrl } from '../../../ui/data-grid/grid-url.ts'
import { initialFromLoader, trpc } from '../../../http/trpc.ts'
import { useGridSettings, type LoadedSettings } from '../frame/use-grid-settings.ts'
import { Boxes, RotateCcwClock } from '../../../ui/admin-icons.tsx'
import { StockBadge } from '../frame/StockBadge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Clamped } from '../../../ui/data-grid/Clamped.tsx'
import { DataGrid } from '../../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../../ui/data-grid/GridLink.tsx'
import { GridPager } from '../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../ui/data-grid/GridToolbar.tsx'
import { RowActions } from '../../../ui/data-grid/RowActions.tsx'
import type { GridColumn } from '../../../ui/data-grid/grid-types.ts'
import { useCan } from '../frame/use-can.ts'
import { money } from '../frame/money.ts'
import { variantName } from './variant-name.ts'

const viewLabels = {
  low: { choice: `Low (${lowStock} or fewer)`, heading: 'Low stock', empty: 'No variants are low on stock.' },
  out: { choice: 'Out of stock', heading: 'Out of stock', empty: 'No variants are out of stock.' },
  all: { choice: 'All variants', heading: 'Stock', empty: 'No variants yet.' },
} as const satisfies Record<(typeof stockViews)[number], object>

type StockSectionProps = {
  loaded: { params: GridParams; page: StockPage; settings: LoadedSettings }
  /** Null for staff who may not adjust stock. */
  onAdjust: ((variant: StockedVariant) => void) | null
}

/** The stock list: low stock first, or all variants. */
export function StockSection({ loaded, onAdjust }: StockSectionProps) {
  const url = useGridUrl()
  const history = useGridUrl('history')
  const settings = useGridSettings('stock', loaded.settings, url)
  const { adjust: _adjust, ...params } = url.params
  const { data = loaded.page, isFetching } = trpc.inventory.stock.useQuery(
    params,
    initialFromLoader(loaded, params),
  )
  const show = stockViews.find((view) => view === url.params['show']) ?? 'low'
  const hasCosts = useCan()('costs.read')
  const columns = useMemo(
    () => stockColumns(onAdjust, history).filter(({ id }) => id !== 'cost' || hasCosts),
    [onAdjust, history, hasCosts],
  )
  return (
    <section aria-labelledby="stock-heading" className="mb-8">
      <h2 id="stock-heading" className="mb-2">
        {viewLabels[show].heading}
      </h2>
      <div className="mb-3">
        <GridToolbar
          url={url}
          searchLabel="Search inventory"
          filters={<ViewLinks url={url} show={show} />}
          columns={columns}
          settings={settings}
          exportPath={adminPaths.export('inventory')}
        />
      </div>
      <DataGrid
        label={viewLabels[show].heading}
        columns={columns}
        rows={data.rows}
        nameOf={variantName}
        url={url}
        sort={url.params['sort'] ?? 'stock'}
        dir={url.params['dir'] === 'desc' ? 'desc' : 'asc'}
        settings={settings}
        empty={url.params['q'] ? 'No variants match your search.' : viewLabels[show].empty}
        isBusy={isFetching}
      />
      {data.hidden > 0 ? (
        <p className="mt-2">
          <GridLink url={url} change={{ show: 'all' }} className="text-link">
            {data.hidden.toLocaleString('en-US')} more in {viewLabels.all.choice}
          </GridLink>
        </p>
      ) : null}
      <div className="mt-2">
        <GridPager label="Stock pages" url={url} page={data} />
      </div>
    </section>
  )
}

/** The views are links, so that they work without scripts. */
const ViewLinks = ({ url, show }: { url: GridUrl; show: keyof typeof viewLabels }) => (
  <nav aria-label="Stock to show" className="tab-links">
    {stockViews.map((view) => (
      <GridLink
        key={view}
        url={url}
        change={{ show: view === 'low' ? null : view }}
        aria-current={view === show ? 'true' : undefined}
      >
        {viewLabels[view].choice}
      </GridLink>
    ))}
  </nav>
)

const orDash = (amount: string | null): string => (amount === null ? '–' : money(amount))

const stockColumns = (
  onAdjust: ((row: StockRow) => void) | null,
  history: GridUrl,
): GridColumn<StockRow>[] => [
  {
    id: 'variant',
    header: 'Variant',
    sort: 'product',
    width: 'min-w-44',
    cell: ({ productName, label, shortage }) => (
      <>
        <b>
          <Clamped text={shortage === undefined ? productName : `${productName} (FDA shortage)`} lines={1} />
        </b>
        <Clamped text={label} lines={1} className="text-muted" />
      </>
    ),
  },
  {
    id: 'maker',
    header: 'Manufacturer',
    cell: ({ manufacturerName }) => <Clamped text={manufacturerName ?? '–'} />,
  },
  {
    id: 'stock',
    header: 'Stock Qty',
    sort: 'stock',
    align: 'end',
    cell: ({ stockQuantity }) => (
      <>
        {stockQuantity > 0 && stockQuantity <= lowStock ? <span className="text-warning">Low </span> : null}
        <StockBadge quantity={stockQuantity} />
      </>
    ),
  },
  {
    id: 'reserved',
    header: 'Reserved',
    align: 'end',
    cell: ({ reservedQuantity }) => reservedQuantity.toLocaleString('en-US'),
  },
  { id: 'cost', header: 'Acq. Cost', align: 'end', cell: ({ acquisitionCost }) => orDash(acquisitionCost) },
  { id: 'price', header: 'Price', sort: 'price', align: 'end', cell: ({ price }) => orDash(price) },
  {
    id: 'actions',
    header: 'Actions',
    cell: (row) => (
      <RowActions name={variantName(row)}>
        {onAdjust ? (
          <Button
            type="button"
            kind="quiet"
            aria-label={`Adjust ${variantName(row)}`}
            onClick={() => onAdjust(row)}
          >
            <Boxes /> Adjust
          </Button>
        ) : null}
        <GridLink
          url={history}
          change={{ variant: row.id }}
          hash="#history"
          className="btn btn-ghost"
          aria-label={`History of ${variantName(row)}`}
        >
          <RotateCcwClock /> History
        </GridLink>
      </RowActions>
    ),
  },
]
