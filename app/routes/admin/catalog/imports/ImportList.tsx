import { adminPaths } from '#domain/admin-paths.ts'
import type { GridPage } from '#domain/grid.ts'
import type { ImportSummary } from '#server/catalog/csv/get-import.ts'
import { initialFromLoader, trpc } from '../../../../http/trpc.ts'
import { Link } from '../../../../render/Link.tsx'
import { DataGrid } from '../../../../ui/data-grid/DataGrid.tsx'
import { GridPager } from '../../../../ui/data-grid/GridPager.tsx'
import type { GridColumn } from '../../../../ui/data-grid/grid-types.ts'
import { useGridUrl } from '../../../../ui/data-grid/grid-url.ts'
import { formatUtc } from '../../frame/format-date-time.ts'
import { useGridSettings, type LoadedSettings } from '../../frame/use-grid-settings.ts'
import { importStatusLabels } from './status-messages.ts'

type ImportListProps = {
  loaded: { params: Record<string, string>; page: GridPage<ImportSummary> }
  settings: LoadedSettings
}

/** The uploaded files. */
export function ImportList({ loaded, settings: loadedSettings }: ImportListProps) {
  const url = useGridUrl()
  const settings = useGridSettings('imports', loadedSettings, url)
  const { data = loaded.page, isFetching } = trpc.imports.list.useQuery(
    url.params,
    initialFromLoader(loaded, url.params),
  )
  return (
    <section aria-labelledby="recent" className="mt-6">
      <h2 id="recent" className="mb-2">
        Recent files
      </h2>
      <DataGrid
        label="Recent files"
        columns={columns}
        rows={data.rows}
        nameOf={({ fileName }) => fileName}
        url={url}
        sort="uploaded"
        dir={url.params['dir'] === 'asc' ? 'asc' : 'desc'}
        settings={settings}
        empty="No files yet. Uploaded files are kept for a week."
        isBusy={isFetching}
      />
      {data.total > 0 ? (
        <div className="mt-2">
          <GridPager url={url} defaultSize={25} page={data} />
        </div>
      ) : null}
    </section>
  )
}

const columns: GridColumn<ImportSummary>[] = [
  {
    id: 'file',
    header: 'File',
    cell: ({ id, fileName }) => (
      <Link to={adminPaths.import(id)} className="text-link cell-link wrap-anywhere">
        {fileName}
      </Link>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => importStatusLabels[status] },
  {
    id: 'uploaded',
    header: 'Uploaded',
    sort: 'uploaded',
    firstDir: 'desc',
    cell: ({ createdAt }) => <span className="whitespace-nowrap">{formatUtc(createdAt)}</span>,
  },
  {
    id: 'lines',
    header: 'Lines',
    align: 'end',
    cell: ({ rowCount }) => rowCount.toLocaleString('en-US'),
  },
]
