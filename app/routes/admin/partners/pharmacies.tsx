import { utcDay } from '#domain/days.ts'
import { pharmacyQuerySchema, type PharmacyRow } from '#domain/partners/pharmacy-fields.ts'
import { daysUntil, licenseState } from '#domain/partners/pharmacy-messages.ts'
import { listPharmaciesPage, listExpiringPharmacies } from '#server/partners/save-pharmacy.ts'
import { getGridSettings } from '#server/grids/grid-settings.ts'
import { useMemo, useState } from 'react'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { adminLoader, gridParams } from '../../../http/admin-loader.server.ts'
import { useGridUrl } from '../../../ui/data-grid/grid-url.ts'
import { initialFromLoader, trpc } from '../../../http/trpc.ts'
import { useGridSettings } from '../frame/use-grid-settings.ts'
import { Pencil } from '../../../ui/admin-icons.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Clamped } from '../../../ui/data-grid/Clamped.tsx'
import type { GridColumn } from '../../../ui/data-grid/grid-types.ts'
import { CircleCheck, CircleExclamationPoint, Plus } from '../../../ui/icons.tsx'
import type { Route } from './+types/pharmacies'
import { NamedGrid } from '../frame/NamedGrid.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { PharmacyDialog } from './PharmacyDialog.tsx'

const grid = 'pharmacies'

export const loader = adminLoader('pharmacies.write', async (ctx, args: Route.LoaderArgs) => {
  const params = gridParams(args)
  const [page, expiring, settings] = await Promise.all([
    listPharmaciesPage(ctx, pharmacyQuerySchema.parse(params)),
    listExpiringPharmacies(ctx),
    getGridSettings(ctx, grid),
  ])
  return { params, page, expiring, settings, today: utcDay(ctx.now) }
})

/**
 * The partner pharmacies, with a warning about licenses that expire soon (settled decisions,
 * "Pharmacy fields").
 */
export default function PharmaciesPage({ loaderData }: Route.ComponentProps) {
  const { today } = loaderData
  const url = useGridUrl()
  const settings = useGridSettings(grid, loaderData.settings, url)
  const { data = loaderData.page, isFetching } = trpc.pharmacies.list.useQuery(
    url.params,
    initialFromLoader(loaderData, url.params),
  )
  const { data: expiring } = trpc.pharmacies.expiring.useQuery(undefined, {
    initialData: loaderData.expiring,
  })
  const [edited, setEdited] = useState<PharmacyRow | 'new' | null>(null)
  const columns = useMemo(() => pharmacyColumns(setEdited, today), [today])
  return (
    <AdminPage
      title="Pharmacies"
      actions={
        <Button type="button" kind="primary" onClick={() => setEdited('new')}>
          <Plus /> Add Pharmacy
        </Button>
      }
    >
      {expiring.length > 0 ? (
        <div className="mb-3">
          <Alert kind="warning" title={warningTitle(expiring.length)}>
            <ul>
              {expiring.map(({ id, name, licenseExpiry }) => (
                <li key={id}>
                  <b>{name}</b>: {expiryText(licenseExpiry, today)}
                </li>
              ))}
            </ul>
          </Alert>
        </div>
      ) : null}
      <NamedGrid
        singular="pharmacy"
        plural="pharmacies"
        url={url}
        columns={columns}
        page={data}
        settings={settings}
        isBusy={isFetching}
      />
      <PharmacyDialog edited={edited} onClose={() => setEdited(null)} />
    </AdminPage>
  )
}

const warningTitle = (count: number): string =>
  count === 1 ? '1 license needs renewal' : `${count} licenses need renewal`

/** "expires in 12 days", "expired 3 days ago". */
function expiryText(expiry: string, today: string): string {
  const days = daysUntil(expiry, today)
  if (days === 0) return 'expires today'
  const countLabel = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`
  return days > 0 ? `expires in ${countLabel}` : `expired ${countLabel} ago`
}

const tones = { expired: 'error', expiring: 'warning' } as const

function LicenseExpiry({ expiry, today }: { expiry: string; today: string }) {
  const state = licenseState(expiry, today)
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <time dateTime={expiry}>{formatDay(expiry)}</time>
      {state === 'valid' ? null : (
        <Badge tone={tones[state]} icon={<CircleExclamationPoint />}>
          {expiryText(expiry, today)}
        </Badge>
      )}
    </span>
  )
}

/** The grid shows the first countries; the dialog lists all of them. */
const maxShownCountries = 3

function Countries({ names }: { names: readonly string[] }) {
  const more = names.length - maxShownCountries
  return (
    <span className="line-clamp-2" title={names.join(', ')}>
      {names.slice(0, maxShownCountries).join(', ')}
      {more > 0 ? ` and ${more} more` : ''}
    </span>
  )
}

const pharmacyColumns = (setEdited: (row: PharmacyRow) => void, today: string): GridColumn<PharmacyRow>[] => [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    width: 'min-w-40',
    cell: ({ name }) => (
      <b>
        <Clamped text={name} />
      </b>
    ),
  },
  { id: 'country', header: 'Country', sort: 'country', cell: ({ country }) => country },
  // Stored in grid settings: it keeps its spelling.
  { id: 'licence', header: 'License number', width: 'min-w-36', cell: ({ licenseNumber }) => licenseNumber },
  {
    id: 'expiry',
    header: 'License expiry',
    sort: 'expiry',
    cell: ({ licenseExpiry }) => <LicenseExpiry expiry={licenseExpiry} today={today} />,
  },
  {
    id: 'ships',
    header: 'Ships to',
    width: 'min-w-44',
    cell: ({ shipsTo }) => <Countries names={shipsTo} />,
  },
  {
    id: 'products',
    header: 'Products',
    align: 'end',
    cell: ({ productCount }) => productCount.toLocaleString('en-US'),
  },
  {
    id: 'active',
    header: 'Status',
    cell: ({ active }) =>
      active ? (
        <Badge tone="success" icon={<CircleCheck />}>
          Active
        </Badge>
      ) : (
        <Badge>Inactive</Badge>
      ),
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (row) => (
      <Button type="button" kind="quiet" aria-label={`Edit ${row.name}`} onClick={() => setEdited(row)}>
        <Pencil /> Edit
      </Button>
    ),
  },
]
