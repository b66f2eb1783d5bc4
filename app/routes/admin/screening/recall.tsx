import { lotStatusPhrases } from '#domain/inventory/lots.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { newId } from '#domain/ids.ts'
import { alreadyRecorded } from '#domain/inventory/inventory-messages.ts'
import { endHoldSchema, type HoldOutcome } from '#domain/screening/recall-hold.ts'
import { endRecallSchema } from '#domain/screening/recorded-recall.ts'
import { recallName } from '#domain/screening/recall.ts'
import { needsRecentCode, withRecentCode } from '#server/accounts/recent-code.ts'
import { getRecall, type RecallDetails } from '#server/recalls/get-recall.ts'
import type { RecalledLines } from '#server/recalls/read-recalled-lines.ts'
import { endHold } from '#server/recalls/hold-recalled-stock.ts'
import { endRecall } from '#server/recalls/record-recall.ts'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText } from '../../../http/form-action.server.ts'
import { hasFields } from '../../../http/form-failure.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Link } from '../../../render/Link.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import { units } from '../inventory/units.ts'
import { AdminCard, Facts } from '../orders/AdminCard.tsx'
import type { Route } from './+types/recall'
import { Holds } from './Holds.tsx'
import { RecallNote } from './RecallNote.tsx'
import { RecordedCard } from './RecordedCard.tsx'
import { reachedBadges } from './reached-badges.ts'
import { UnnamedCodes } from './UnnamedCodes.tsx'

export const loader = adminLoader('lists.read', async (ctx, { params, request }: Route.LoaderArgs) => {
  const after = new URL(request.url).searchParams.get('after') ?? ''
  const recall = await getRecall(ctx, params.id, after)
  const holds = recall.holds.map((hold) => ({ ...hold, requestKey: newId() }))
  return { ...recall, holds, endKey: newId(), needsCode: needsRecentCode(ctx) }
})

const doneTitles: Record<HoldOutcome, string> = {
  destroyed: 'Destruction recorded',
  supplier: 'Return to the supplier recorded',
  stock: 'Units returned to stock',
}

export const action = adminAction('lists.read', async (ctx, args: Route.ActionArgs, form) => {
  const { id } = args.params
  if (getText(form, 'intent') === 'end')
    return formAction(form, endRecallSchema, async ({ code, ...input }) => {
      const isEndedNow = await endRecall(await withRecentCode(ctx, code), { id, ...input })
      return redirectWithToast(
        args,
        adminPaths.recall(id),
        isEndedNow
          ? { kind: 'success', title: 'Recall ended' }
          : { kind: 'info', title: 'This recall was already ended' },
      )
    })
  return formAction(form, endHoldSchema, async (hold) => {
    const isRecordedNow = await endHold(ctx, { recallId: id, ...hold })
    const done = { kind: 'success', title: doneTitles[hold.outcome] } as const
    return redirectWithToast(
      args,
      adminPaths.recall(id),
      isRecordedNow ? done : alreadyRecorded(hold.quantity),
    )
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

export { revalidateAfterConflict as shouldRevalidate } from '../../../http/revalidate-after-conflict.ts'

/** A recall: its report, the affected stock and open orders, and the customers notified. */
export default function RecallPage({ loaderData, actionData }: Route.ComponentProps) {
  const { recall, listDate, variants, lots, open, notified, notifiedPage, recorded, needsCode } = loaderData
  const failure = actionData ?? null
  const isEnding = failure?.intent === 'end'
  return (
    <AdminPage title={recallName(recall.id)} back={{ to: adminPaths.recalls, label: 'Recalls' }}>
      {recorded ? null : <RecallNote listDates={listDate === null ? [] : [listDate]} />}
      {/* Without a field's message it is about the recall. Its form may no longer be there. */}
      {failure && !hasFields(failure) ? (
        <div className="mb-4">
          <ErrorSummary title={failure.message ?? 'Nothing has changed yet'} fields={{}} />
        </div>
      ) : null}
      <div className="grid max-w-5xl items-start gap-4 xl:grid-cols-2">
        <AdminCard title="Report">
          <ReportFacts recall={recall} />
        </AdminCard>
        {recorded ? (
          <RecordedCard
            id={recall.id}
            recorded={recorded}
            requestKey={loaderData.endKey}
            needsCode={needsCode}
            failure={isEnding ? failure : null}
          />
        ) : null}
        <AdminCard title="Stock">
          <h3>Packages in the catalog</h3>
          {variants.length === 0 ? <p className="text-muted">None.</p> : null}
          <ul className="mb-3">
            {variants.map(({ id, name, isDeleted }) => (
              <li key={id}>
                {name}
                {isDeleted ? ' (deleted)' : ''}
              </li>
            ))}
          </ul>
          <UnnamedCodes codes={loaderData.unnamedCodes} />
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
          <Holds details={loaderData} failure={isEnding ? null : failure} />
        </AdminCard>
        {open === null ? null : (
          <AdminCard title="Open orders that can’t ship yet">
            {open.length === 0 ? <p className="text-muted">None.</p> : null}
            <ul className="grid gap-1">
              {open.map(({ orderId, lines, affected }) => (
                <li key={orderId}>
                  <Link to={adminPaths.orderLots(orderId)} className="text-link">
                    Order {orderRef(orderId)}
                  </Link>
                  , {lines === 1 ? '1 item' : `${lines} items`}
                  {affected ? `, ${affectedText(affected)}` : ''}
                </li>
              ))}
            </ul>
          </AdminCard>
        )}
        {notified && notifiedPage ? (
          <Notified id={recall.id} notified={notified} page={notifiedPage} />
        ) : null}
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

/** "Elena Petrova, 2 units, lot MT7731". */
const affectedText = ({ customerName, units: count, lots }: RecalledLines): string =>
  [customerName, units(count), lots.length > 0 && `lot ${lots.join(', ')}`].filter(Boolean).join(', ')

type NotifiedRangeProps = {
  id: string
  /** How many orders the page lists. */
  listed: number
  page: NonNullable<RecallDetails['notifiedPage']>
}

/** "Orders 101–200 of 250", where one page does not list them all. */
function NotifiedRange({ id, listed, page: { total, before, unreadable } }: NotifiedRangeProps) {
  const last = before + listed + unreadable
  return (
    <>
      {total > last - before ? (
        <p className="mb-2 text-muted">
          Orders {before + 1}–{last} of {total}
        </p>
      ) : null}
      {unreadable > 0 ? (
        <p className="mb-2">
          {unreadable === 1 ? '1 notice' : `${unreadable} notices`} can’t be decrypted, so{' '}
          {unreadable === 1 ? 'its order is' : 'their orders are'} not listed.
        </p>
      ) : null}
      {before > 0 ? (
        <p className="mb-2">
          <Link to={adminPaths.recall(id)} className="text-link">
            First orders and open orders
          </Link>
        </p>
      ) : null}
    </>
  )
}

type NotifiedProps = {
  id: string
  notified: NonNullable<RecallDetails['notified']>
  page: NonNullable<RecallDetails['notifiedPage']>
}

const Notified = ({ id, notified, page }: NotifiedProps) => (
  <AdminCard title="Customers notified">
    <NotifiedRange id={id} listed={notified.length} page={page} />
    {page.total === 0 ? <p className="text-muted">None. No shipped orders are affected.</p> : null}
    <ul className="grid gap-2">
      {notified.map(({ orderId, at, reached, hasAccount, affected }) => (
        <li key={orderId} className="flex flex-wrap items-center gap-2">
          {hasAccount ? (
            <Link to={adminPaths.order(orderId)} className="text-link">
              Order {orderRef(orderId)}
            </Link>
          ) : (
            <span>Order {orderRef(orderId)}, account deleted</span>
          )}
          {affected ? <span className="wrap-anywhere">{affectedText(affected)}</span> : null}
          <Badge tone={reachedBadges[reached].tone}>{reachedBadges[reached].label}</Badge>
          <span className="text-muted">
            <DateTime at={at} />
          </span>
        </li>
      ))}
    </ul>
    {page.next === null ? null : (
      <p className="mt-3">
        <Link to={adminPaths.recall(id, { after: page.next })} className="text-link">
          More orders
        </Link>
      </p>
    )}
  </AdminCard>
)
