import type { HistoryRow, StockedVariant } from '#domain/inventory/inventory-grid.ts'
import { isId } from '#domain/ids.ts'
import { signedChange, transactionLabels } from '#domain/inventory/inventory-messages.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import type { HistoryPage } from '#server/inventory/list-history.ts'
import { useMemo } from 'react'
import { useGridUrl, type GridParams, type GridUrl } from '../../../ui/data-grid/grid-url.ts'
import { initialFromLoader, trpc } from '../../../http/trpc.ts'
import { formatDateTime } from '../frame/format-date-time.ts'
import { useGridSettings, type LoadedSettings } from '../frame/use-grid-settings.ts'
import { Boxes } from '../../../ui/admin-icons.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Clamped } from '../../../ui/data-grid/Clamped.tsx'
import { DataGrid } from '../../../ui/data-grid/DataGrid.tsx'
import { GridLink } from '../../../ui/data-grid/GridLink.tsx'
import { GridPager } from '../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../ui/data-grid/GridToolbar.tsx'
import type { GridColumn } from '../../../ui/data-grid/grid-types.ts'
import { X } from '../../../ui/icons.tsx'
import { VariantField } from './VariantField.tsx'
import { variantName } from './variant-name.ts'

type HistorySectionProps = {
  loaded: { params: GridParams; page: HistoryPage; settings: LoadedSettings }
  onAdjust: ((variant: StockedVariant) => void) | null
}

/**
 * The ledger, newest first. For one variant, each row starts at the quantity that the row below it
 * left.
 */
export function HistorySection({ loaded, onAdjust }: HistorySectionProps) {
  const url = useGridUrl('history')
  const settings = useGridSettings('stock-history', loaded.settings, url)
  const { data = loaded.page, isFetching } = trpc.inventory.history.useQuery(
    url.params,
    initialFromLoader(loaded, url.params),
  )
  const columns = useMemo(() => historyColumns(url), [url])
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="mb-2 scroll-mt-4">
        Transaction history
      </h2>
      <div className="mb-3">
        <GridToolbar
          url={url}
          field={<VariantFilter url={url} variant={data.variant} />}
          columns={columns}
          settings={settings}
          exportPath={adminPaths.export('ledger')}
        />
      </div>
      {data.variant ? <VariantSummary variant={data.variant} onAdjust={onAdjust} /> : null}
      <DataGrid
        label="Transaction history"
        columns={columns}
        rows={data.rows}
        nameOf={({ id }) => id}
        url={url}
        sort="newest"
        dir="desc"
        settings={settings}
        empty="No transactions found"
        isBusy={isFetching}
        isSecond
      />
      <div className="mt-2">
        <GridPager label="History pages" url={url} page={data} />
      </div>
    </section>
  )
}

const fieldName = 'history.variant'

/** A form of its own, so that without scripts the typed text is searched for. */
function VariantFilter({ url, variant }: { url: GridUrl; variant: StockedVariant | null }) {
  const requested = url.params['variant'] ?? ''
  return (
    <form
      className="flex w-full items-end gap-2 sm:w-96"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget).get(fieldName)
        if (typeof typed === 'string' && !(variant && typed === variantName(variant))) {
          url.go({ variant: typed.trim() })
        }
      }}
    >
      <div className="min-w-0 flex-1">
        <VariantField
          // A variant that was selected elsewhere on the page replaces the field's text.
          key={variant?.id ?? `typed ${requested}`}
          label="Filter by variant"
          name={fieldName}
          selected={variant}
          typed={isId(requested) ? '' : requested}
          onPick={({ id }) => url.go({ variant: id })}
        />
      </div>
      {requested === '' ? null : (
        <GridLink url={url} change={{ variant: null }} className="btn btn-ghost">
          <X /> Clear
        </GridLink>
      )}
    </form>
  )
}

/** The stock of the variant whose ledger is shown. */
const VariantSummary = ({
  variant,
  onAdjust,
}: {
  variant: StockedVariant
  onAdjust: HistorySectionProps['onAdjust']
}) => (
  <div className="card mb-3 flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
    <p className="me-auto">
      <b>{variantName(variant)}</b>
    </p>
    {variant.isDeleted ? <Badge tone="error">Deleted</Badge> : null}
    <p>
      On hand <b className="tabular-nums">{variant.stockQuantity.toLocaleString('en-US')}</b>
    </p>
    <p>
      Reserved <b className="tabular-nums">{variant.reservedQuantity.toLocaleString('en-US')}</b>
    </p>
    {variant.isDeleted || !onAdjust ? null : (
      <Button
        type="button"
        aria-label={`Adjust ${variantName(variant)}`}
        onClick={() => onAdjust(variant)}
        className="print:hidden"
      >
        <Boxes /> Adjust
      </Button>
    )}
  </div>
)

const historyColumns = (url: GridUrl): GridColumn<HistoryRow>[] => [
  {
    id: 'when',
    header: 'Date (UTC)',
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className="whitespace-nowrap">
        {formatDateTime(createdAt)}
      </time>
    ),
  },
  {
    id: 'variant',
    header: 'Variant',
    width: 'min-w-60',
    cell: (row) => (
      <GridLink url={url} change={{ variant: row.productVariantId }} className="hover:underline">
        <Clamped text={variantName(row)} />
      </GridLink>
    ),
  },
  {
    id: 'type',
    header: 'Type',
    cell: ({ transactionType }) => <Badge>{transactionLabels[transactionType]}</Badge>,
  },
  {
    id: 'before',
    header: 'Before',
    align: 'end',
    cell: ({ quantityBefore }) => quantityBefore.toLocaleString('en-US'),
  },
  {
    id: 'change',
    header: 'Change',
    align: 'end',
    cell: ({ quantityChange }) => (
      <b className={quantityChange > 0 ? 'text-success' : 'text-error'}>{signedChange(quantityChange)}</b>
    ),
  },
  {
    id: 'after',
    header: 'After',
    align: 'end',
    cell: ({ quantityAfter }) => quantityAfter.toLocaleString('en-US'),
  },
  {
    id: 'notes',
    header: 'Notes',
    width: 'min-w-52',
    cell: ({ notes }) => <span className="whitespace-pre-line">{notes ?? '–'}</span>,
  },
]
