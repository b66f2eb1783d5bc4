import { lotChoiceSchema } from '#domain/inventory/lot-list.ts'
import { packCheckFormSchema } from '#domain/orders/pack-checks.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { recallName } from '#domain/screening/recall.ts'
import { getOrderLots, type OrderLotLine } from '#server/orders/get-order-lots.ts'
import { recordPackCheck } from '#server/orders/record-pack-check.ts'
import { repickLots } from '#server/orders/repick-lots.ts'
import type { ReactNode } from 'react'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText } from '../../../http/form-action.server.ts'
import type { FormFailure } from '../../../http/form-failure.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Link } from '../../../render/Link.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorSummary } from '../../../ui/ErrorSummary.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useCan } from '../frame/use-can.ts'
import type { Route } from './+types/order-lots'
import { DateTime } from '../frame/DateTime.tsx'
import { AdminCard } from './AdminCard.tsx'
import { lotText } from './lot-text.ts'
import { Medicine } from './ItemsCard.tsx'

export const loader = adminLoader('orders.medicines', (ctx, { params: { id } }: Route.LoaderArgs) =>
  getOrderLots(ctx, id),
)

export const action = adminAction('orders.medicines', async (ctx, args: Route.ActionArgs, form) => {
  const { id } = args.params
  if (getText(form, 'intent') === 'check')
    return formAction(form, packCheckFormSchema, async (check) => {
      await recordPackCheck(ctx, { orderId: id, ...check })
      return redirectWithToast(args, adminPaths.orderLots(id), { kind: 'success', title: 'Package recorded' })
    })
  return formAction(form, lotChoiceSchema, async (choice) => {
    const { isChanged } = await repickLots(ctx, { orderId: id, ...choice })
    return redirectWithToast(
      args,
      adminPaths.orderLots(id),
      isChanged
        ? { kind: 'success', title: 'Lots changed' }
        : { kind: 'info', title: 'Lots not changed', text: 'No other stock lasts longer.' },
    )
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

/**
 * The lots that an order's lines hold, a choice of others until it ships, and recalls to check the
 * packs for.
 */
export default function OrderLotsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { orderId, lines, canChange, canOverrule } = loaderData
  return (
    <AdminPage
      title={`Lots for order ${orderRef(orderId)}`}
      back={{ to: adminPaths.order(orderId), label: `Order ${orderRef(orderId)}` }}
    >
      <div className="grid max-w-3xl gap-4">
        {actionData ? (
          <ErrorSummary
            title={actionData.message ?? 'Nothing has changed yet'}
            fields={toFieldIds(actionData)}
          />
        ) : null}
        {lines.length === 0 ? <p className="text-muted">No item of this order has tracked stock.</p> : null}
        {lines.map((line) => (
          <Line key={line.id} line={line} canChange={canChange}>
            {line.recalls.map((recall) => (
              <Recall
                key={recall.recallId}
                recall={recall}
                canCheck={canChange && (recall.effect === 'check-pack' || canOverrule)}
                failure={actionData ?? null}
              />
            ))}
          </Line>
        ))}
      </div>
    </AdminPage>
  )
}

function Line({
  line,
  canChange,
  children,
}: {
  line: OrderLotLine
  canChange: boolean
  children: ReactNode
}) {
  const { id, quantity, lots, inNoLot, problem, choices } = line
  return (
    <AdminCard title={line.product.name}>
      <Medicine line={line} />
      <ul className="my-2">
        {lots.map(({ lotId, ...lot }) => (
          <li key={lotId}>
            <Link to={adminPaths.lot(lotId)} className="text-link">
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
        <PostForm className="flex flex-wrap items-end gap-3">
          <input type="hidden" name="lineId" value={id} />
          <SelectField label="Change to" name="lotId" defaultValue="">
            <option value="">Pick for me</option>
            {choices.map((lot) => (
              <option key={lot.id} value={lot.id}>
                {lot.lotNumber}, expires {formatDay(lot.expiresOn)}
              </option>
            ))}
          </SelectField>
          <Button>Change lots</Button>
        </PostForm>
      ) : null}
      {children}
      {line.checks.map((check) => (
        <p key={`${check.recallId} ${check.at}`} className="mt-2 text-muted">
          <DateTime at={check.at} />, {check.by}: lot {check.lotNumber} on the package is not part of{' '}
          {recallName(check.recallId, { inSentence: true })}.{check.reason === null ? '' : ` ${check.reason}`}
        </p>
      ))}
    </AdminCard>
  )
}

/** The page has a form for each line and recall. */
function toFieldIds({ fields, values }: FormFailure): Record<string, string> {
  const { lineId, recallId } = values
  if (recallId === undefined) return fields
  const ids: Record<string, string> = { lotNumber: 'lot', reason: 'reason' }
  return Object.fromEntries(
    Object.entries(fields).map(([name, message]) => [
      `${ids[name] ?? name}-${lineId ?? ''}-${recallId}`,
      message,
    ]),
  )
}

type RecallProps = { recall: OrderLotLine['recalls'][number]; canCheck: boolean; failure: FormFailure | null }

/** A recall that keeps a line here, and the form that records a look at its packs. */
function Recall({ recall, canCheck, failure }: RecallProps) {
  const { lineId, recallId, message, effect, lotNumber, lots, lotNote } = recall
  const can = useCan()
  const isOwn = failure?.values['lineId'] === lineId && failure.values['recallId'] === recallId
  const own = isOwn ? failure : null
  return (
    <div className="mt-3">
      <p role="alert" className="mb-2 font-medium text-error">
        {message}
      </p>
      <p className="mb-2 wrap-anywhere">
        {lots.length > 0
          ? [`Recalled lots: ${lots.join(', ')}.`, lotNote].filter(Boolean).join(' ')
          : `Lots in the report: ${lotNote ?? 'not listed'}`}
      </p>
      {can('lists.read') ? (
        <p className="mb-2">
          <Link to={adminPaths.recall(recallId)} className="text-link">
            Read the recall
          </Link>
        </p>
      ) : null}
      {canCheck && lotNumber === null ? (
        <PostForm className="flex flex-wrap items-end gap-3">
          <input type="hidden" name="intent" value="check" />
          <input type="hidden" name="lineId" value={lineId} />
          <input type="hidden" name="recallId" value={recallId} />
          <Field
            id={`lot-${lineId}-${recallId}`}
            name="lotNumber"
            label="Lot on the package"
            autoComplete="off"
            defaultValue={own?.values['lotNumber']}
            error={own?.fields['lotNumber']}
          />
          {effect === 'block' ? (
            <Field
              id={`reason-${lineId}-${recallId}`}
              name="reason"
              label="Why the recall doesn’t affect it"
              autoComplete="off"
              defaultValue={own?.values['reason']}
              error={own?.fields['reason']}
            />
          ) : null}
          <Button>Record as not recalled</Button>
        </PostForm>
      ) : null}
    </div>
  )
}
