import { productQuerySchema, type ProductRow } from '#domain/catalog/variant-grid.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { getGridSettings } from '#server/grids/grid-settings.ts'
import { listAdminProducts } from '#server/catalog/list-admin-catalog.ts'
import { useMemo, useState } from 'react'
import { adminLoader, gridParams } from '../../../../http/admin-loader.server.ts'
import { useGridUrl } from '../../../../ui/data-grid/grid-url.ts'
import { initialFromLoader, trpc } from '../../../../http/trpc.ts'
import { useGridSettings } from '../../frame/use-grid-settings.ts'
import { DataGrid } from '../../../../ui/data-grid/DataGrid.tsx'
import { GridPager } from '../../../../ui/data-grid/GridPager.tsx'
import { GridToolbar } from '../../../../ui/data-grid/GridToolbar.tsx'
import { NewestFirst } from '../../../../ui/data-grid/NewestFirst.tsx'
import type { Route } from './+types/products'
import { AdminPage } from '../../frame/AdminPage.tsx'
import { CatalogTabs } from './CatalogTabs.tsx'
import { productColumns } from './columns.tsx'
import { DeleteProduct } from './DeleteProduct.tsx'
import { EditProduct } from './EditProduct.tsx'
import { ProductFilters } from './ProductFilters.tsx'
import { ProductHistory } from './ProductHistory.tsx'
import { SearchNotice } from './SearchNotice.tsx'
import { AddProduct } from '../variants/AddProduct.tsx'

const grid = 'products'

export const loader = adminLoader('catalog.write', async (ctx, args: Route.LoaderArgs) => {
  const params = gridParams(args)
  const query = productQuerySchema.parse(params)
  const [page, settings] = await Promise.all([listAdminProducts(ctx, query), getGridSettings(ctx, grid)])
  return { params, page, settings }
})

/** The list of products (specification, "Admin area"). */
export default function ProductsPage({ loaderData }: Route.ComponentProps) {
  const url = useGridUrl()
  const settings = useGridSettings(grid, loaderData.settings, url)
  const { data = loaderData.page, isFetching } = trpc.products.list.useQuery(
    url.params,
    initialFromLoader(loaderData, url.params),
  )
  const [edited, setEdited] = useState<ProductRow | null>(null)
  const [pendingDelete, setPendingDelete] = useState<ProductRow | null>(null)
  const [historyRow, setHistoryRow] = useState<ProductRow | null>(null)
  const columns = useMemo(
    () => productColumns({ onEdit: setEdited, onDelete: setPendingDelete, onShowHistory: setHistoryRow }),
    [],
  )
  return (
    <AdminPage title="Product list" actions={<AddProduct />}>
      <CatalogTabs current={adminPaths.products} />
      <div className="mb-3">
        <GridToolbar
          url={url}
          searchLabel="Search products"
          filters={
            <>
              <ProductFilters url={url} />
              <NewestFirst url={url} />
            </>
          }
          columns={columns}
          settings={settings}
          exportPath={adminPaths.export('products')}
        />
      </div>
      <SearchNotice note={data.note} />
      <DataGrid<ProductRow>
        label="Products"
        columns={columns}
        rows={data.rows}
        nameOf={({ name }) => name}
        url={url}
        sort={url.params['sort'] ?? 'name'}
        dir={url.params['dir'] === 'desc' ? 'desc' : 'asc'}
        settings={settings}
        empty={
          Object.keys(url.params).length > 0
            ? 'No products match your search.'
            : 'No products yet. Add your first product.'
        }
        isBusy={isFetching}
      />
      <div className="mt-2">
        <GridPager url={url} page={data} />
      </div>
      <EditProduct edited={edited} onClose={() => setEdited(null)} />
      <DeleteProduct row={pendingDelete} onClose={() => setPendingDelete(null)} />
      <ProductHistory row={historyRow} onClose={() => setHistoryRow(null)} />
    </AdminPage>
  )
}
