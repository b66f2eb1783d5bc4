import type { RefusedChange, StatusChangePreview } from '#domain/orders/admin-orders.ts'
import { orderBadges, type OrderStatus } from '#domain/orders/order-status.ts'
import { undoSeconds } from '#domain/orders/status-change.ts'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { money } from '../frame/money.ts'

const number = (count: number): string => count.toLocaleString('en-US')

/** What applying a status does, a sentence each, for staff to read before they apply it. */
export function statusEffects(status: OrderStatus, preview: StatusChangePreview): string[] {
  const { ids, changed, cancelled, refused, warnings } = preview
  const isOne = ids.length === 1
  const others = ids.length - changed - refused.length
  const { label } = orderBadges[status]
  if (changed === 0 && refused.length > 0) return []
  if (changed === 0) return [isOne ? 'The status can’t change to this.' : 'None of these orders will change.']
  return [
    ...warnings,
    ...(others > 0 ? [`${number(others)} won’t change: already ${label}, or permanently cancelled.`] : []),
    ...(cancelled > 0 ? cancellationEffects(preview) : []),
    ...(status === 'cancelled' && cancelled < changed
      ? [
          isOne
            ? 'It has shipped, so we won’t refund or restock it.'
            : `${number(changed - cancelled)} of them have shipped. We won’t refund or restock those.`,
        ]
      : []),
    emailEffect(preview),
    undoEffect(preview),
  ]
}

/** Whether applying a status does anything: it also returns lines with new alerts to the queue. */
export const canApply = ({ changed, refused }: StatusChangePreview): boolean =>
  changed > 0 || refused.some(({ isNewAlert }) => isNewAlert)

/** Why orders will be refused, in a sentence or two each. */
export const statusRefusals = ({ ids, refused }: StatusChangePreview): RefusedChange[] =>
  refused.map(({ id, message, isNewAlert }) => {
    const text = isNewAlert
      ? `${message} Clicking Apply sends the line back to the pharmacists’ queue.`
      : message
    const name = `Order ${orderRef(id)}`
    if (ids.length === 1) return { id, message: text, isNewAlert }
    const named = text.startsWith('This order ') ? text.replace('This order', name) : `${name}: ${text}`
    return { id, message: named, isNewAlert }
  })

function cancellationEffects({ ids, cancelled, refund, voided, restocked }: StatusChangePreview): string[] {
  const refunds = cancelled - voided
  return [
    ...(refunds > 0
      ? [
          `We’ll refund ${money(refund)} to ${refunds === 1 ? 'the customer’s card' : `the cards that paid for ${number(refunds)} orders`}.`,
        ]
      : []),
    ...(voided > 0
      ? [
          ids.length === 1
            ? 'The customer’s card will not be charged.'
            : voided === 1
              ? 'The card of 1 order will not be charged.'
              : `The cards of ${number(voided)} orders will not be charged.`,
        ]
      : []),
    `We’ll return ${number(restocked)} ${restocked === 1 ? 'unit' : 'units'} to stock.`,
    'You can’t reopen an order that was cancelled before it shipped.',
  ]
}

function emailEffect({ ids, emailed }: StatusChangePreview): string {
  if (emailed === 0) return 'No one gets an email.'
  return ids.length === 1
    ? 'We’ll email the customer.'
    : `We’ll send ${number(emailed)} ${emailed === 1 ? 'email' : 'emails'}.`
}

function undoEffect({ changed, undoable }: StatusChangePreview): string {
  if (undoable === 0) return 'You can’t undo this.'
  if (undoable === changed) return `You can undo it for ${undoSeconds} seconds.`
  return `You can undo ${number(undoable)} of them for ${undoSeconds} seconds.`
}
