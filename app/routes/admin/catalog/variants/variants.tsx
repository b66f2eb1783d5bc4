import { variantQuerySchema, type VariantRow } from '#domain/catalog/variant-grid.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { getGridSettings } from '#server/grids/grid-settings.ts'
import { listAdminVariants } from '#server/catalog/list-admin-catalog.ts'
import { useMemo, useState } from 'react'
import { adminLoader, gridParams } from '../../../../http/admin-loader.server.ts'
import { useGridUrl } from '../../../../ui/data-grid/grid-url.ts'
import { initialFromLoader, trpc } from '../../../../http/trpc.ts'
import { useGridSettings } from '../../frame/use-grid-settings.ts'
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
import { variantName } from './variant-name.ts'
import { ManufacturerFilter } from './ManufacturerFilter.tsx'
import { VariantFilters } from './VariantFilters.tsx'
import { VariantHistory } from './VariantHistory.tsx'

const grid = 'variants'

export const loader = adminLoader('catalog.write', async (ctx, args: Route.LoaderArgs) => {
  const params = gridParams(args)
  const query = variantQuerySchema.parse(params)
  const [page, settings] = await Promise.all([listAdminVariants(ctx, query), getGridSettings(ctx, grid)])
  return { params, page, settings }
})

/** The list of variants (specification, "Admin area"). */
export default function VariantsPage({ loaderData }: Route.ComponentProps) {
  const url = useGridUrl()
  const settings = useGridSettings(grid, loaderData.settings, url)
  const { data = loaderData.page, isFetching } = trpc.variants.list.useQuery(
    url.params,
    initialFromLoader(loaderData, url.params),
  )
  const [edited, setEdited] = useState<EditedVariant | null>(null)
  const [historyRow, setHistoryRow] = useState<VariantRow | null>(null)
  const columns = useMemo(() => variantColumns({ onEdit: setEdited, onShowHistory: setHistoryRow }), [])
  return (
    <AdminPage title="Products" actions={<AddProduct />}>
      <CatalogTabs current={adminPaths.variants} />
      <div className="mb-3">
        <GridToolbar
          url={url}
          searchLabel="Search products"
          filters={<VariantFilters url={url} />}
          columns={columns}
          settings={settings}
          exportPath={adminPaths.export('variants')}
          actions={
            <LinkButton to={adminPaths.imports} kind="quiet">
              <FileUp /> Import CSV
            </LinkButton>
          }
        />
      </div>
      <SearchNotice note={data.note} />
      <ManufacturerFilter url={url} manufacturer={data.manufacturer} />
      <DataGrid<VariantRow>
        label="Variants"
        columns={columns}
        rows={data.rows}
        nameOf={variantName}
        url={url}
        sort={url.params['sort'] ?? 'product'}
        dir={url.params['dir'] === 'desc' ? 'desc' : 'asc'}
        // The margin is hidden at first: sorting by it shows it.
        settings={{ ...settings, hidden: settings.hidden.filter((id) => id !== url.params['sort']) }}
        empty={
          Object.keys(url.params).length > 0
            ? 'No variants match your search.'
            : 'No variants yet. Add your first product.'
        }
        isBusy={isFetching}
        isDense
      />
      <div className="mt-2">
        <GridPager url={url} page={data} />
      </div>
      <EditVariant edited={edited} onClose={() => setEdited(null)} />
      <VariantHistory row={historyRow} onClose={() => setHistoryRow(null)} />
    </AdminPage>
  )
}
