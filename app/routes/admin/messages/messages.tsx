import { adminPaths } from '#domain/admin-paths.ts'
import type { WaitingThread } from '#domain/messages/messages.ts'
import { threadQuerySchema } from '#domain/messages/thread-list.ts'
import { getGridSettings } from '#server/grids/grid-settings.ts'
import { listWaitingThreads } from '#server/messages/list-thread.ts'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { adminLoader, gridParams } from '../../../http/admin-loader.server.ts'
import { initialFromLoader, trpc } from '../../../http/trpc.ts'
import { Link } from '../../../render/Link.tsx'
import { DataGrid } from '../../../ui/data-grid/DataGrid.tsx'
import { GridPager } from '../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../ui/data-grid/GridToolbar.tsx'
import type { GridColumn } from '../../../ui/data-grid/grid-types.ts'
import { useGridUrl } from '../../../ui/data-grid/grid-url.ts'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useGridSettings } from '../frame/use-grid-settings.ts'
import { DateTime } from '../frame/DateTime.tsx'
import type { Route } from './+types/messages'

const grid = 'messages'

export const loader = adminLoader('prescriptions.review', async (ctx, args: Route.LoaderArgs) => {
  const params = gridParams(args)
  const [page, settings] = await Promise.all([
    listWaitingThreads(ctx, threadQuerySchema.parse(params)),
    getGridSettings(ctx, grid),
  ])
  return { params, page, settings }
})

/** What customers wrote to the pharmacy, the longest wait first. */
export default function Messages({ loaderData }: Route.ComponentProps) {
  const url = useGridUrl()
  const settings = useGridSettings(grid, loaderData.settings, url)
  const { data = loaderData.page, isFetching } = trpc.messages.list.useQuery(
    url.params,
    initialFromLoader(loaderData, url.params),
  )
  return (
    <AdminPage title="Messages">
      <div className="mb-3 flex flex-wrap items-end gap-2">
        <p className="me-auto max-w-3xl text-muted">
          Customer messages about orders and prescriptions that are waiting for an answer.
        </p>
        <GridToolbar url={url} columns={columns} settings={settings} />
      </div>
      <DataGrid
        label="Messages"
        columns={columns}
        rows={data.rows}
        nameOf={({ customerName }) => customerName}
        url={url}
        sort="waiting"
        dir={url.params['dir'] === 'desc' ? 'desc' : 'asc'}
        settings={settings}
        empty="No messages are waiting for an answer."
        isBusy={isFetching}
      />
      <div className="mt-2">
        <GridPager url={url} page={data} />
      </div>
    </AdminPage>
  )
}

const columns: GridColumn<WaitingThread>[] = [
  {
    id: 'customer',
    header: 'Customer',
    cell: ({ id, customerName }) => (
      <Link to={adminPaths.thread(id)} className="text-link">
        {customerName}
      </Link>
    ),
  },
  {
    id: 'about',
    header: 'About',
    cell: ({ id, kind }) => (kind === 'order' ? `Order ${orderRef(id)}` : 'Prescription'),
  },
  {
    id: 'waiting',
    header: 'Waiting since',
    sort: 'waiting',
    cell: ({ updatedAt }) => (
      <span className="whitespace-nowrap">
        <DateTime at={updatedAt} />
      </span>
    ),
  },
]
