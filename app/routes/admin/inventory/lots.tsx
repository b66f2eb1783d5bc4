import { expiryRanges, lotViews } from '#domain/inventory/inventory-messages.ts'
import { lotQuerySchema, type LotQuery, type LotView } from '#domain/inventory/lot-list.ts'
import { adjustmentSchema } from '#domain/inventory/stock-adjustment.ts'
import { paths } from '#domain/paths.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { listLots } from '#server/inventory/list-lots.ts'
import { Form } from 'react-router'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText, readForm } from '../../../http/form-action.server.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Link } from '../../../render/Link.tsx'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useCan } from '../frame/use-can.ts'
import type { Route } from './+types/lots'
import { ExpiryBadge, LotBadge } from './LotBadges.tsx'
import { ReceiveLot } from './ReceiveLot.tsx'
import { variantName } from './variant-name.ts'

const readQuery = (request: Request): LotQuery =>
  lotQuerySchema.parse(Object.fromEntries(new URL(request.url).searchParams))

export const loader = adminLoader('stock.read', async (ctx, { request }: Route.LoaderArgs) => {
  const query = readQuery(request)
  return { query, ...(await listLots(ctx, query)) }
})

export const action = adminLoader('stock.write', async (ctx, args: Route.ActionArgs) => {
  const form = await readForm(args.request)
  return formAction(form, adjustmentSchema, async (input) => {
    const { quantityAfter } = await adjustStock(ctx, input)
    return redirectWithToast(args, paths.admin.lots({ variant: getText(form, 'variantId') ?? '' }), {
      kind: 'success',
      title: `Units added: now ${quantityAfter} on hand`,
    })
  })
})

const viewLabels = {
  available: 'Available',
  quarantined: 'In quarantine',
  expired: 'Expired',
  all: 'All',
} as const satisfies Record<(typeof lotViews)[number], string>

/** The lots of all variants or of one, by expiry date. */
export default function LotsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { query, lots, next, variant } = loaderData
  const canWrite = useCan()('stock.write')
  const { show, days } = query
  return (
    <AdminPage
      title={variant ? `Lots of ${variantName(variant)}` : 'Lots'}
      back={{ to: paths.admin.inventory, label: 'Inventory' }}
    >
      <Form method="get" className="mb-4 flex flex-wrap items-end gap-3" key={JSON.stringify(query)}>
        <Field label="Variant" name="variant" defaultValue={variant ? variantName(variant) : query.variant} />
        <SelectField label="Show" name="show" defaultValue={show}>
          {lotViews.map((view) => (
            <option key={view} value={view}>
              {viewLabels[view]}
            </option>
          ))}
        </SelectField>
        <SelectField label="Expires in" name="days" defaultValue={days ?? ''}>
          <option value="">Any time</option>
          {expiryRanges.map((range) => (
            <option key={range} value={range}>
              {range} days
            </option>
          ))}
        </SelectField>
        <Button>Show lots</Button>
        <LinkButton kind="quiet" to={paths.admin.lots({ days: 90 })}>
          Expiring soon
        </LinkButton>
      </Form>
      {lots.length === 0 ? <p className="mb-4 text-muted">No lots found.</p> : <LotTable lots={lots} />}
      {next === null ? null : (
        <p className="mb-4">
          <Link
            to={paths.admin.lots({
              show,
              ...(days !== null && { days }),
              variant: query.variant,
              after: next,
            })}
            className="text-link"
          >
            Next lots
          </Link>
        </p>
      )}
      {variant && !variant.isDeleted && canWrite ? (
        <ReceiveLot variantId={variant.id} failure={actionData ?? null} />
      ) : null}
    </AdminPage>
  )
}

const LotTable = ({ lots }: { lots: readonly LotView[] }) => (
  <div className="mb-4 overflow-x-auto">
    <table className="w-full">
      <thead>
        <tr className="border-b border-line text-muted">
          {['Lot', 'Variant', 'Expires'].map((name) => (
            <th key={name} scope="col" className="py-1 pe-3 text-start font-medium">
              {name}
            </th>
          ))}
          <th scope="col" className="py-1 pe-3 text-start font-medium max-sm:hidden">
            Status
          </th>
          <th scope="col" className="py-1 text-end font-medium">
            Quantity
          </th>
        </tr>
      </thead>
      <tbody>
        {lots.map((lot) => (
          <tr key={lot.id} className="border-b border-line align-top">
            <td className="py-2 pe-3 wrap-anywhere">
              <Link to={paths.admin.lot(lot.id)} className="text-link font-mono">
                {lot.lotNumber}
              </Link>
            </td>
            <td className="py-2 pe-3 wrap-anywhere">
              <Link
                to={paths.admin.lots({ variant: lot.variantId })}
                className="font-semibold hover:underline"
              >
                {lot.productName}
              </Link>
              <span className="block text-muted">{lot.label}</span>
            </td>
            <td className="py-2 pe-3">
              <span className="whitespace-nowrap">{formatDay(lot.expiresOn)}</span>{' '}
              <ExpiryBadge daysLeft={lot.daysLeft} />
              {lot.status === 'quarantined' ? (
                <span className="sm:hidden">
                  <LotBadge status={lot.status} />
                </span>
              ) : null}
            </td>
            <td className="py-2 pe-3 max-sm:hidden">
              <LotBadge status={lot.status} />
            </td>
            <td className="py-2 text-end tabular-nums">{lot.quantity.toLocaleString('en-US')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
