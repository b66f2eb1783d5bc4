import { isOngoing } from '#domain/screening/recall-outcome.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { recallQuerySchema } from '#domain/screening/recall-list.ts'
import { getGridSettings } from '#server/grids/grid-settings.ts'
import { listRecalls, type RecallSummary } from '#server/recalls/list-recalls.ts'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { adminLoader, gridParams } from '../../../http/admin-loader.server.ts'
import { initialFromLoader, trpc } from '../../../http/trpc.ts'
import { Link } from '../../../render/Link.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { LinkButton } from '../../../ui/Button.tsx'
import { Clamped } from '../../../ui/data-grid/Clamped.tsx'
import { DataGrid } from '../../../ui/data-grid/DataGrid.tsx'
import { GridFilter } from '../../../ui/data-grid/GridFilter.tsx'
import { GridPager } from '../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../ui/data-grid/GridToolbar.tsx'
import type { GridColumn } from '../../../ui/data-grid/grid-types.ts'
import { useGridUrl } from '../../../ui/data-grid/grid-url.ts'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useCan } from '../frame/use-can.ts'
import { useGridSettings } from '../frame/use-grid-settings.ts'
import type { Route } from './+types/recalls'
import { RecallNote } from './RecallNote.tsx'

const grid = 'recalls'

export const loader = adminLoader('lists.read', async (ctx, args: Route.LoaderArgs) => {
  const params = gridParams(args)
  const [page, settings] = await Promise.all([
    listRecalls(ctx, recallQuerySchema.parse(params)),
    getGridSettings(ctx, grid),
  ])
  return { params, page, settings }
})

const views = [
  ['', 'All'],
  ['ongoing', 'Ongoing'],
] as const

/** The recalls of packages in the catalog. */
export default function RecallsPage({ loaderData }: Route.ComponentProps) {
  const url = useGridUrl()
  const settings = useGridSettings(grid, loaderData.settings, url)
  const { data = loaderData.page, isFetching } = trpc.recalls.list.useQuery(
    url.params,
    initialFromLoader(loaderData, url.params),
  )
  const can = useCan()
  return (
    <AdminPage
      title="Recalls"
      back={{ to: adminPaths.screeningLists, label: 'Screening' }}
      actions={
        can('settings.write') ? (
          <>
            <LinkButton to={adminPaths.recall('new')}>Record a recall</LinkButton>
            <LinkButton to={adminPaths.careImports}>Import recalls</LinkButton>
          </>
        ) : null
      }
    >
      <RecallNote listDates={data.listDates} />
      <div className="mb-3">
        <GridToolbar
          url={url}
          searchLabel="Search recalls"
          filters={<GridFilter url={url} name="show" label="Show" options={views} />}
          columns={columns}
          settings={settings}
        />
      </div>
      <DataGrid
        label="Recalls"
        columns={columns}
        rows={data.rows}
        nameOf={({ id }) => id}
        url={url}
        sort="reported"
        dir={url.params['dir'] === 'asc' ? 'asc' : 'desc'}
        settings={settings}
        empty={
          url.params['q'] || url.params['show']
            ? 'No recalls found.'
            : 'No entry found in the lists for the packages in the catalog.'
        }
        isBusy={isFetching}
      />
      <div className="mt-2">
        <GridPager url={url} page={data} />
      </div>
    </AdminPage>
  )
}

const columns: GridColumn<RecallSummary>[] = [
  {
    id: 'recall',
    header: 'Recall',
    cell: ({ id, recallClass }) => (
      <span className="whitespace-nowrap">
        <Link to={adminPaths.recall(id)} className="text-link cell-link">
          {id}
        </Link>
        <span className="block text-muted">Class {recallClass}</span>
      </span>
    ),
  },
  {
    id: 'product',
    header: 'Product',
    width: 'min-w-72',
    cell: ({ product }) => <Clamped text={product} />,
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <Badge {...(isOngoing(status) && { tone: 'warning' })}>{status}</Badge>,
  },
  {
    id: 'reported',
    header: 'Reported',
    sort: 'reported',
    firstDir: 'desc',
    cell: ({ reported }) => <span className="whitespace-nowrap">{formatDay(reported)}</span>,
  },
  {
    id: 'lots',
    header: 'Lots',
    align: 'end',
    cell: ({ allLots, lots }) => (
      <span className="whitespace-nowrap">
        {allLots ? 'All' : lots === 0 ? 'Not listed' : lots.toLocaleString('en-US')}
      </span>
    ),
  },
  {
    id: 'notified',
    header: 'Orders notified',
    align: 'end',
    cell: ({ notified }) => notified.toLocaleString('en-US'),
  },
]
