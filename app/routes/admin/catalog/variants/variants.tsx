import { variantQuerySchema, type VariantRow } from '#domain/catalog/variant-grid.ts'
import { readHiddenColumns } from '#server/grids/hidden-columns.ts'
import { listVariantsForDesk } from '#server/catalog/list-admin-catalog.ts'
import { useMemo, useState } from 'react'
import { adminLoader, gridParamsOf } from '../../../../http/admin-loader.server.ts'
import { useGridUrl } from '../../../../ui/data-grid/grid-url.ts'
import { startWith, trpc } from '../../../../http/trpc.ts'
import { useHiddenColumns } from '../../frame/use-hidden-columns.ts'
import { FileUp } from '../../../../ui/admin-icons.tsx'
import { LinkButton } from '../../../../ui/Button.tsx'
import { DataGrid } from '../../../../ui/data-grid/DataGrid.tsx'
import { GridPager } from '../../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../../ui/data-grid/GridToolbar.tsx'
import type { Route } from './+types/variants'
import { AdminPage } from '../../frame/AdminPage.tsx'
import { CatalogTabs } from '../products/CatalogTabs.tsx'
import { SearchNotice } from '../products/SearchNotice.tsx'
import { AddProduct } from './AddProduct.tsx'
import { variantColumns } from './columns.tsx'
import { EditVariant, type EditedVariant } from './EditVariant.tsx'
import { nameOfVariant } from './variant-name.ts'
import { MakerFilter } from './ManufacturerFilter.tsx'
import { VariantFilters } from './VariantFilters.tsx'
import { VariantHistory } from './VariantHistory.tsx'

const grid = 'variants'

/** What the specification names stands at 1280 px without a way sideways; this is the shop's own. */
const hiddenAtFirst = ['margin']

export const loader = adminLoader(async (ctx, args: Route.LoaderArgs) => {
  const params = gridParamsOf(args)
  const query = variantQuerySchema.parse(params)
  const [page, hidden] = await Promise.all([
    listVariantsForDesk(ctx, query),
    readHiddenColumns(ctx, grid, hiddenAtFirst),
  ])
  return { params, page, hidden }
})

/** What is sold, pack by pack (specification, "Admin area"). */
export default function VariantsPage({ loaderData }: Route.ComponentProps) {
  const url = useGridUrl()
  const [hidden, hide] = useHiddenColumns(grid, loaderData.hidden)
  const { data = loaderData.page, isFetching } = trpc.variants.list.useQuery(
    url.params,
    startWith(loaderData, url.params),
  )
  const [edited, edit] = useState<EditedVariant | null>(null)
  const [historyOf, showHistory] = useState<VariantRow | null>(null)
  const columns = useMemo(() => variantColumns({ edit, showHistory }), [])
  return (
    <AdminPage title="Variants" actions={<AddProduct />}>
      <CatalogTabs at="/admin/variants" />
      <div className="mb-3">
        <GridToolbar
          url={url}
          searchLabel="Search products"
          filters={<VariantFilters url={url} />}
          columns={columns}
          hidden={hidden}
          onHide={hide}
          exportPath="/admin/variants.csv"
          actions={
            <LinkButton to="/admin/variants/import" kind="quiet">
              <FileUp /> Import CSV
            </LinkButton>
          }
        />
      </div>
      <SearchNotice note={data.note} />
      <MakerFilter url={url} maker={data.maker} />
      <DataGrid<VariantRow>
        label="Variants"
        columns={columns}
        rows={data.rows}
        nameOf={nameOfVariant}
        url={url}
        sort={url.params['sort'] ?? 'product'}
        dir={url.params['dir'] === 'desc' ? 'desc' : 'asc'}
        // What rows are sorted by is seen.
        hidden={hidden.filter((id) => id !== url.params['sort'])}
        empty={Object.keys(url.params).length > 0 ? 'No variant matches.' : 'No variants yet. Add the first.'}
        isBusy={isFetching}
        isDense
      />
      <div className="mt-2">
        <GridPager url={url} page={data} />
      </div>
      <EditVariant edited={edited} onClose={() => edit(null)} />
      <VariantHistory row={historyOf} onClose={() => showHistory(null)} />
    </AdminPage>
  )
}
