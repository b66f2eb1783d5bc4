import { lotChoiceSchema } from '#domain/inventory/lot-list.ts'
import { paths } from '#domain/paths.ts'
import { getOrderLots, type OrderLotLine } from '#server/orders/get-order-lots.ts'
import { repickLots } from '#server/orders/repick-lots.ts'
import { Form } from 'react-router'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, readForm } from '../../../http/form-action.server.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Link } from '../../../render/Link.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { SelectField } from '../../../ui/Field.tsx'
import { ArrowLeft } from '../../../ui/icons.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import type { Route } from './+types/order-lots'
import { AdminCard } from './AdminCard.tsx'
import { lotText } from './lot-text.ts'
import { Medicine } from './OrderCards.tsx'

export const loader = adminLoader('orders.medicines', (ctx, { params: { id } }: Route.LoaderArgs) =>
  getOrderLots(ctx, id),
)

export const action = adminLoader('orders.medicines', async (ctx, args: Route.ActionArgs) => {
  const { id } = args.params
  return formAction(await readForm(args.request), lotChoiceSchema, async (choice) => {
    await repickLots(ctx, { orderId: id, ...choice })
    return redirectWithToast(args, paths.admin.orderLots(id), { kind: 'success', title: 'Lots changed' })
  })
})

/** The lots that an order's lines hold, and a choice of others until it ships. */
export default function OrderLotsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { orderId, lines, canChange } = loaderData
  return (
    <AdminPage title={`Lots of order ${orderRef(orderId)}`}>
      <p className="mb-3">
        <Link to={paths.admin.order(orderId)} className="text-link inline-flex items-center gap-1">
          <ArrowLeft className="size-4" /> Order {orderRef(orderId)}
        </Link>
      </p>
      <div className="grid max-w-3xl gap-4">
        {actionData ? (
          <ErrorSummary title={actionData.message ?? 'Choose other lots.'} fields={actionData.fields} />
        ) : null}
        {lines.length === 0 ? <p className="text-muted">No item of this order has tracked stock.</p> : null}
        {lines.map((line) => (
          <Line key={line.id} line={line} canChange={canChange} />
        ))}
      </div>
    </AdminPage>
  )
}

function Line({ line, canChange }: { line: OrderLotLine; canChange: boolean }) {
  const { id, quantity, lots, inNoLot, problem, choices } = line
  return (
    <AdminCard title={line.product.name}>
      <Medicine line={line} />
      <ul className="my-2">
        {lots.map(({ lotId, ...lot }) => (
          <li key={lotId}>
            <Link to={paths.admin.lot(lotId)} className="text-link">
              {lotText(lot, quantity)}
            </Link>
          </li>
        ))}
        {inNoLot > 0 ? <li className="text-muted">{inNoLot} in no lot</li> : null}
      </ul>
      {problem === null ? null : (
        <p role="alert" className="mb-2 font-medium text-error">
          {problem}
        </p>
      )}
      {canChange && (lots.length > 0 || choices.length > 0) ? (
        <Form method="post" className="flex flex-wrap items-end gap-3">
          <input type="hidden" name="lineId" value={id} />
          <SelectField label="Change to" name="lotId" defaultValue="">
            <option value="">Earliest expiry</option>
            {choices.map((lot) => (
              <option key={lot.id} value={lot.id}>
                {lot.lotNumber}, expires {formatDay(lot.expiresOn)}
              </option>
            ))}
          </SelectField>
          <Button>Change lots</Button>
        </Form>
      ) : null}
    </AdminCard>
  )
}
