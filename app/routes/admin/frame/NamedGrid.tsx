import type { GridPage } from '#domain/grid.ts'
import { DataGrid } from '../../../ui/data-grid/DataGrid.tsx'
import { GridPager } from '../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../ui/data-grid/GridToolbar.tsx'
import type { GridColumn, GridPlaceInUrl } from '../../../ui/data-grid/grid-types.ts'

type NamedGridProps<Row> = {
  /** One of the things and all of them, in lower case: "pharmacy", "pharmacies". The latter is the page's path as well. */
  one: string
  all: string
  url: GridPlaceInUrl
  columns: readonly GridColumn<Row>[]
  page: GridPage<Row>
  hidden: readonly string[]
  onHide: (columns: string[]) => void
  isBusy: boolean
}

/** A grid of things that are known by their names and sorted so: its search, its columns as one wants them, its pages. */
export function NamedGrid<Row extends { id: string; name: string }>({
  one,
  all,
  url,
  columns,
  page,
  hidden,
  onHide,
  isBusy,
}: NamedGridProps<Row>) {
  return (
    <>
      <div className="mb-3">
        <GridToolbar
          url={url}
          searchLabel={`Search ${all}`}
          columns={columns}
          hidden={hidden}
          onHide={onHide}
          exportPath={`/admin/${all}.csv`}
        />
      </div>
      <DataGrid
        label={all.charAt(0).toUpperCase() + all.slice(1)}
        columns={columns}
        rows={page.rows}
        nameOf={({ name }) => name}
        url={url}
        sort={url.params['sort'] ?? 'name'}
        dir={url.params['dir'] === 'desc' ? 'desc' : 'asc'}
        hidden={hidden}
        empty={url.params['q'] ? `No ${one} matches.` : `No ${all} yet. Add the first.`}
        isBusy={isBusy}
      />
      <div className="mt-2">
        <GridPager url={url} page={page} />
      </div>
    </>
  )
}
