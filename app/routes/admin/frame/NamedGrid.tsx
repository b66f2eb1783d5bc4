import { adminPaths } from '#domain/admin-paths.ts'
import type { GridPage } from '#domain/grid.ts'
import { DataGrid } from '../../../ui/data-grid/DataGrid.tsx'
import { GridPager } from '../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../ui/data-grid/GridToolbar.tsx'
import type { GridColumn, GridSettings } from '../../../ui/data-grid/grid-types.ts'
import type { GridUrl } from '../../../ui/data-grid/grid-url.ts'

type NamedGridProps<Row> = {
  /**
   * What the rows are, in lower case: "pharmacy", "pharmacies". The plural is also the page's path.
   */
  singular: string
  plural: 'manufacturers' | 'pharmacies'
  url: GridUrl
  columns: readonly GridColumn<Row>[]
  page: GridPage<Row>
  settings: GridSettings
  isBusy: boolean
}

/** A grid of named rows, sorted by name, with its toolbar and pager. */
export function NamedGrid<Row extends { id: string; name: string }>({
  singular,
  plural,
  url,
  columns,
  page,
  settings,
  isBusy,
}: NamedGridProps<Row>) {
  return (
    <>
      <div className="mb-3">
        <GridToolbar
          url={url}
          searchLabel={`Search ${plural}`}
          columns={columns}
          settings={settings}
          exportPath={adminPaths.export(plural)}
        />
      </div>
      <DataGrid
        label={plural.charAt(0).toUpperCase() + plural.slice(1)}
        columns={columns}
        rows={page.rows}
        nameOf={({ name }) => name}
        url={url}
        sort={url.params['sort'] ?? 'name'}
        dir={url.params['dir'] === 'desc' ? 'desc' : 'asc'}
        settings={settings}
        empty={
          url.params['q']
            ? `No ${plural} match your search.`
            : `No ${plural} yet. Add your first ${singular}.`
        }
        isBusy={isBusy}
      />
      <div className="mt-2">
        <GridPager url={url} page={page} />
      </div>
    </>
  )
}
