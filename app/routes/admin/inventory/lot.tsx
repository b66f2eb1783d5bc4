import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { lotReasonSchema, writeOffSchema } from '#domain/inventory/lot-list.ts'
import { alreadyRecorded, lotBounds } from '#domain/inventory/inventory-messages.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { getLot } from '#server/inventory/list-lots.ts'
import { quarantineLot, releaseLot, writeOffLot } from '#server/inventory/quarantine-lot.ts'
import { findLotOrders } from '#server/orders/find-lot-orders.ts'
import type { ReactNode } from 'react'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText } from '../../../http/form-action.server.ts'
import { hasFields, type FormFailure } from '../../../http/form-failure.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Link } from '../../../render/Link.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field, TextAreaField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useCan } from '../frame/use-can.ts'
import { AdminCard, Facts } from '../orders/AdminCard.tsx'
import type { Route } from './+types/lot'
import { ExpiryBadge, LotBadge } from './LotBadges.tsx'
import { LotHistory } from './LotHistory.tsx'
import { units } from './units.ts'

export const loader = adminLoader('stock.read', async (ctx, { params: { id } }: Route.LoaderArgs) => ({
  ...(await getLot(ctx, id)),
  orders: await findLotOrders(ctx, id),
  // Identifies the submission of the form, so that sending it twice writes units off once.
  requestKey: newId(),
}))

export const action = adminAction('stock.read', async (ctx, args: Route.ActionArgs, form) => {
  const lotId = args.params.id
  const done = (title: string) => redirectWithToast(args, adminPaths.lot(lotId), { kind: 'success', title })
  const intent = getText(form, 'intent')
  if (intent === 'quarantine')
    return formAction(form, lotReasonSchema, async ({ reason }) => {
      await quarantineLot(ctx, { lotId, reason })
      return done('Lot is in quarantine')
    })
  if (intent === 'release')
    return formAction(form, lotReasonSchema, async ({ reason }) => {
      await releaseLot(ctx, { lotId, reason })
      return done('Lot released')
    })
  if (intent !== 'write-off') throw new AppError('BAD_REQUEST')
  return formAction(form, writeOffSchema, async (input) => {
    if (await writeOffLot(ctx, { lotId, ...input })) return done('Units written off')
    return redirectWithToast(args, adminPaths.lot(lotId), alreadyRecorded(input.quantity))
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

export { revalidateAfterConflict as shouldRevalidate } from '../../../http/revalidate-after-conflict.ts'

/** A lot: what is left of it, who holds it, and its quarantine. */
export default function LotPage({ loaderData, actionData }: Route.ComponentProps) {
  const { lot, version, stock, history, orders, releaseProblem } = loaderData
  const can = useCan()
  const failure = actionData ?? null
  const { quantity, status } = lot
  const stockBefore = stock ?? 0
  const sentKey = failure?.isConflict ? undefined : typedIn(failure, 'write-off', 'requestKey')
  const inOrders = orders.reduce((sum, order) => sum + order.units, 0)
  return (
    <AdminPage
      title={`Lot ${lot.lotNumber}`}
      back={{ to: adminPaths.lots({ variant: lot.variantId }), label: `Lots: ${lot.productName}` }}
    >
      {/* A failure of no field is about the lot. Its form may no longer be there. */}
      {failure && !hasFields(failure) ? (
        <div className="mb-4">
          <ErrorSummary title={failure.message ?? 'Nothing has changed yet'} fields={failure.fields} />
        </div>
      ) : null}
      <div className="grid max-w-5xl items-start gap-4 xl:grid-cols-2">
        <AdminCard title="Lot">
          <Facts
            facts={[
              ['Medicine', `${lot.productName}, ${lot.label}`],
              [
                'Expires',
                <span key="expires">
                  {formatDay(lot.expiresOn)} <ExpiryBadge daysLeft={lot.daysLeft} />
                </span>,
              ],
              ['Status', <LotBadge key="status" status={status} />],
              [status === 'available' ? 'In stock' : 'Not in stock', units(quantity)],
              ['In open orders', units(inOrders)],
            ]}
          />
          <LotOrders orders={orders} />
        </AdminCard>
        {status === 'available' && can('lots.quarantine') ? (
          <ReasonForm intent="quarantine" title="Quarantine" failure={failure} submit="Quarantine lot">
            <p>
              {units(quantity)} will leave the stock: from {units(stockBefore)} to{' '}
              {units(Math.max(0, stockBefore - quantity))}.
            </p>
            <p>
              {orders.length === 0
                ? 'No open order holds this lot.'
                : `${orders.length === 1 ? '1 order line' : `${orders.length} order lines`} with ${units(inOrders)} can’t ship until other lots are chosen.`}
            </p>
          </ReasonForm>
        ) : null}
        {releaseProblem ? (
          <AdminCard title="Can’t be released">
            <p>{releaseProblem.message}</p>
            {releaseProblem.recallId !== null && can('lists.read') ? (
              <Link to={adminPaths.recall(releaseProblem.recallId)} className="text-link">
                Open the recall
              </Link>
            ) : null}
          </AdminCard>
        ) : null}
        {status === 'quarantined' && !releaseProblem && can('lots.quarantine') ? (
          <ReasonForm intent="release" title="Release" failure={failure} submit="Release lot">
            <p>
              {units(quantity)} will return to the stock: from {units(stockBefore)} to{' '}
              {units(stockBefore + quantity)}.
            </p>
          </ReasonForm>
        ) : null}
        {status !== 'available' && quantity > 0 && can('stock.write') ? (
          <ReasonForm
            // Resets the form after units are written off.
            key={`${version} ${sentKey ?? ''}`}
            intent="write-off"
            title="Write off"
            failure={failure}
            submit="Write off units"
          >
            <p>
              For units that were destroyed or returned to the supplier. They are no longer in stock, so the
              stock stays at {units(stockBefore)}.
            </p>
            <input type="hidden" name="version" value={version} />
            {/* Without a conflict, a failed form keeps its key: the units may be written off. */}
            <input type="hidden" name="requestKey" value={sentKey ?? loaderData.requestKey} />
            <Field
              id="quantity"
              label="Quantity"
              name="quantity"
              type="number"
              min="1"
              max={quantity}
              step="1"
              defaultValue={typedIn(failure, 'write-off', 'quantity') ?? quantity}
              error={errorOf(failure, 'write-off', 'quantity')}
              required
            />
          </ReasonForm>
        ) : null}
        <AdminCard title="History">
          <LotHistory history={history} variantId={lot.variantId} />
        </AdminCard>
      </div>
    </AdminPage>
  )
}

const LotOrders = ({ orders }: { orders: Route.ComponentProps['loaderData']['orders'] }) => (
  <ul className="mt-2">
    {orders.map(({ orderId, lineId, units: count }) => (
      <li key={lineId}>
        <Link to={adminPaths.orderLots(orderId)} className="text-link">
          Order {orderRef(orderId)}
        </Link>
        : {units(count)}
      </li>
    ))}
  </ul>
)

const typedIn = (failure: FormFailure | null, intent: string, name: string): string | undefined =>
  failure?.intent === intent ? failure.values[name] : undefined
const errorOf = (failure: FormFailure | null, intent: string, name: string): string | undefined =>
  failure?.intent === intent ? failure.fields[name] : undefined

type ReasonFormProps = {
  intent: 'quarantine' | 'release' | 'write-off'
  title: string
  failure: FormFailure | null
  submit: string
  /** What it will do. */
  children: ReactNode
}

function ReasonForm({ intent, title, failure, submit, children }: ReasonFormProps) {
  const own = failure?.intent === intent ? failure : null
  const { reason, ...others } = own?.fields ?? {}
  const id = `${intent}-reason`
  return (
    <AdminCard title={title}>
      <PostForm noValidate={false} className="grid gap-3" aria-label={title}>
        <input type="hidden" name="intent" value={intent} />
        {own && hasFields(own) ? (
          <ErrorSummary
            title={own.message ?? 'Check the fields.'}
            fields={{ ...others, ...(reason && { [id]: reason }) }}
          />
        ) : null}
        {children}
        <TextAreaField
          id={id}
          label="Reason"
          name="reason"
          rows={2}
          maxLength={lotBounds.reason}
          defaultValue={own?.values['reason']}
          error={reason}
          required
        />
        <Button kind={intent === 'release' ? 'primary' : 'danger'} className="justify-self-start">
          {submit}
        </Button>
      </PostForm>
    </AdminCard>
  )
}
