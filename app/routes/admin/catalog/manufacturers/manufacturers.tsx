import { manufacturerQuerySchema, type ManufacturerRow } from '#domain/catalog/manufacturer-fields.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { listAdminManufacturers } from '#server/catalog/save-manufacturer.ts'
import { getGridSettings } from '#server/grids/grid-settings.ts'
import { useMemo, useState } from 'react'
import { adminLoader, gridParams } from '../../../../http/admin-loader.server.ts'
import { useGridUrl } from '../../../../ui/data-grid/grid-url.ts'
import { initialFromLoader, trpc } from '../../../../http/trpc.ts'
import { useGridSettings } from '../../frame/use-grid-settings.ts'
import { Pencil } from '../../../../ui/admin-icons.tsx'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { RowActions } from '../../../../ui/data-grid/RowActions.tsx'
import { Clamped } from '../../../../ui/data-grid/Clamped.tsx'
import type { GridColumn } from '../../../../ui/data-grid/grid-types.ts'
import { Plus, Trash } from '../../../../ui/icons.tsx'
import { Link } from '../../../../render/Link.tsx'
import type { Route } from './+types/manufacturers'
import { DeleteManufacturer } from './DeleteManufacturer.tsx'
import { ManufacturerDialog } from './ManufacturerDialog.tsx'
import { NamedGrid } from '../../frame/NamedGrid.tsx'
import { AdminPage } from '../../frame/AdminPage.tsx'

const grid = 'manufacturers'

export const loader = adminLoader('catalog.write', async (ctx, args: Route.LoaderArgs) => {
  const params = gridParams(args)
  const query = manufacturerQuerySchema.parse(params)
  const [page, settings] = await Promise.all([listAdminManufacturers(ctx, query), getGridSettings(ctx, grid)])
  return { params, page, settings }
})

/** The manufacturers of the variants (specification, "Admin area"). */
export default function ManufacturersPage({ loaderData }: Route.ComponentProps) {
  const url = useGridUrl()
  const settings = useGridSettings(grid, loaderData.settings, url)
  const { data = loaderData.page, isFetching } = trpc.manufacturers.list.useQuery(
    url.params,
    initialFromLoader(loaderData, url.params),
  )
  const [edited, setEdited] = useState<ManufacturerRow | 'new' | null>(null)
  const [pendingDelete, setPendingDelete] = useState<ManufacturerRow | null>(null)
  const columns = useMemo(() => manufacturerColumns(setEdited, setPendingDelete), [])
  return (
    <AdminPage
      title="Manufacturers"
      actions={
        <Button type="button" kind="primary" onClick={() => setEdited('new')}>
          <Plus /> Add Manufacturer
        </Button>
      }
    >
      <NamedGrid
        singular="manufacturer"
        plural="manufacturers"
        url={url}
        columns={columns}
        page={data}
        settings={settings}
        isBusy={isFetching}
      />
      <ManufacturerDialog edited={edited} onClose={() => setEdited(null)} />
      <DeleteManufacturer row={pendingDelete} onClose={() => setPendingDelete(null)} />
    </AdminPage>
  )
}

const manufacturerColumns = (
  setEdited: (row: ManufacturerRow) => void,
  setPendingDelete: (row: ManufacturerRow) => void,
): GridColumn<ManufacturerRow>[] => [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    width: 'min-w-36',
    cell: ({ name }) => (
      <b>
        <Clamped text={name} />
      </b>
    ),
  },
  {
    id: 'street',
    header: 'Street address',
    width: 'min-w-36',
    cell: ({ streetAddress }) => <Clamped text={streetAddress ?? '–'} />,
  },
  { id: 'city', header: 'City', cell: ({ city }) => <Clamped text={city ?? '–'} /> },
  {
    id: 'state',
    header: 'State/Province',
    cell: ({ stateProvince }) => <Clamped text={stateProvince ?? '–'} />,
  },
  { id: 'country', header: 'Country', sort: 'country', cell: ({ country }) => country ?? '–' },
  { id: 'postal', header: 'Postal code', cell: ({ postalCode }) => postalCode ?? '–' },
  {
    id: 'variants',
    header: 'Variants',
    align: 'end',
    cell: ({ id, name, variantCount }) =>
      variantCount === 0 ? (
        0
      ) : (
        <Link
          to={adminPaths.variantsOf(id)}
          className="text-link inline-flex min-h-8 items-center"
          aria-label={`${variantCount.toLocaleString('en-US')} ${variantCount === 1 ? 'variant' : 'variants'} of ${name}`}
        >
          {variantCount.toLocaleString('en-US')}
        </Link>
      ),
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (row) => (
      <RowActions name={row.name}>
        <Button type="button" kind="quiet" aria-label={`Edit ${row.name}`} onClick={() => setEdited(row)}>
          <Pencil /> Edit
        </Button>
        <IconButton
          type="button"
          label={`Delete ${row.name}`}
          title="Delete"
          className="text-muted"
          onClick={() => setPendingDelete(row)}
        >
          <Trash />
        </IconButton>
      </RowActions>
    ),
  },
]
