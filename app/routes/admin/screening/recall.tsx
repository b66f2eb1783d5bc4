import { lotStatusPhrases } from '#domain/inventory/lots.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { recallName } from '#domain/screening/recall.ts'
import { getRecall, type RecallDetails } from '#server/recalls/get-recall.ts'
import { endHold } from '#server/recalls/hold-recalled-stock.ts'
import { z } from 'zod'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction } from '../../../http/form-action.server.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Link } from '../../../render/Link.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useCan } from '../frame/use-can.ts'
import { DateTime } from '../frame/DateTime.tsx'
import { AdminCard, Facts } from '../orders/AdminCard.tsx'
import type { Route } from './+types/recall'
import { RecallNote } from './RecallNote.tsx'
import { reachedBadges } from './reached-badges.ts'

export const loader = adminLoader('lists.read', (ctx, { params: { id } }: Route.LoaderArgs) =>
  getRecall(ctx, id),
)

const holdSchema = z.object({
  variantId: z.string().max(100),
  units: z.coerce.number().int().positive(),
  outcome: z.enum(['returned', 'written-off']),
})

export const action = adminAction('lists.read', async (ctx, args: Route.ActionArgs, form) => {
  const { id } = args.params
  return formAction(form, holdSchema, async (hold) => {
    await endHold(ctx, { recallId: id, ...hold })
    const title = hold.outcome === 'returned' ? 'Units returned to the stock' : 'Units written off'
    return redirectWithToast(args, adminPaths.recall(id), { kind: 'success', title })
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

/** A recall: its report, the affected stock and open orders, and the customers notified. */
export default function RecallPage({ loaderData, actionData }: Route.ComponentProps) {
  const { recall, listDate, variants, lots, open, notified } = loaderData
  return (
    <AdminPage title={recallName(recall.id)} back={{ to: adminPaths.recalls, label: 'Recalls' }}>
      <RecallNote listDates={listDate === null ? [] : [listDate]} />
      {actionData ? (
        <div className="mb-4">
          <ErrorSummary title={actionData.message ?? 'Nothing has changed yet'} fields={actionData.fields} />
        </div>
      ) : null}
      <div className="grid max-w-5xl items-start gap-4 xl:grid-cols-2">
        <AdminCard title="Report">
          <ReportFacts recall={recall} />
        </AdminCard>
        <AdminCard title="Stock">
          <h3>Packages in the catalog</h3>
          {variants.length === 0 ? <p className="text-muted">None.</p> : null}
          <ul className="mb-3">
            {variants.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
          <h3>Recalled lots received</h3>
          {lots.length === 0 ? <p className="text-muted">None.</p> : null}
          <ul>
            {lots.map((lot) => (
              <li key={lot.id}>
                <Link to={adminPaths.lot(lot.id)} className="text-link">
                  Lot {lot.lotNumber}
                </Link>{' '}
                {lotStatusPhrases[lot.status]}, {lot.quantity} {lot.quantity === 1 ? 'unit' : 'units'}
              </li>
            ))}
          </ul>
          <Holds details={loaderData} />
        </AdminCard>
        {open === null ? null : (
          <AdminCard title="Open orders that can’t ship yet">
            {open.length === 0 ? <p className="text-muted">None.</p> : null}
            <ul className="grid gap-1">
              {open.map(({ orderId, lines }) => (
                <li key={orderId}>
                  <Link to={adminPaths.orderLots(orderId)} className="text-link">
                    Order {orderRef(orderId)}
                  </Link>
                  , {lines === 1 ? '1 item' : `${lines} items`}
                </li>
              ))}
            </ul>
          </AdminCard>
        )}
        {notified === null ? null : <Notified notified={notified} />}
      </div>
    </AdminPage>
  )
}

const ReportFacts = ({ recall }: { recall: RecallDetails['recall'] }) => (
  <Facts
    facts={[
      ['Product', recall.product],
      ['Reason', recall.reason],
      ['Firm', recall.firm],
      ['Class', recall.recallClass],
      ['Status', recall.status],
      ['Reported', formatDay(recall.reported)],
      [
        'Lots',
        recall.allLots
          ? 'All'
          : [recall.lots.join(', '), recall.lotNote].filter(Boolean).join('. ') ||
            'Not listed. Check the manufacturer’s notice.',
      ],
    ]}
  />
)

function Holds({ details: { holds, hasEnded } }: { details: RecallDetails }) {
  const can = useCan()
  if (holds.length === 0) return null
  return (
    <>
      <h3 className="mt-3">Units in no lot that left the stock</h3>
      <ul className="grid gap-2">
        {holds.map(({ variantId, name, units }) => (
          <li key={variantId}>
            {name}: {units === 1 ? '1 unit' : `${units} units`}
            {can('lots.quarantine') ? (
              <PostForm className="flex flex-wrap gap-3">
                <input type="hidden" name="variantId" value={variantId} />
                <input type="hidden" name="units" value={units} />
                {hasEnded ? (
                  <Button name="outcome" value="returned">
                    Return to the stock
                  </Button>
                ) : null}
                <Button kind="quiet" name="outcome" value="written-off">
                  Destroyed or returned to the supplier
                </Button>
              </PostForm>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  )
}

const Notified = ({ notified }: { notified: NonNullable<RecallDetails['notified']> }) => (
  <AdminCard title="Customers notified">
    {notified.length === 0 ? <p className="text-muted">None. No shipped orders are affected.</p> : null}
    <ul className="grid gap-2">
      {notified.map(({ orderId, at, reached, hasAccount }) => (
        <li key={orderId} className="flex flex-wrap items-center gap-2">
          {hasAccount ? (
            <Link to={adminPaths.order(orderId)} className="text-link">
              Order {orderRef(orderId)}
            </Link>
          ) : (
            <span>Order {orderRef(orderId)}, account deleted</span>
          )}
          <Badge tone={reachedBadges[reached].tone}>{reachedBadges[reached].label}</Badge>
          <span className="text-muted">
            <DateTime at={at} />
          </span>
        </li>
      ))}
    </ul>
  </AdminCard>
)
