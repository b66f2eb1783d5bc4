import type { CaseLine } from '#domain/dispensing/case-line.ts'
import { isUndecided } from '#domain/dispensing/dispensing.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'

/**
 * What deciding the last line of an order does to the customer's card, for the pharmacist to read
 * first (`server/reviews/capture-when-decided.ts`); null for other lines and when it is charged.
 */
export function chargeNote(
  { lines, order }: Pick<ReviewCase, 'lines' | 'order'>,
  line: CaseLine,
  decision: 'clear' | 'refuse',
): string | null {
  const others = lines.filter(({ id }) => id !== line.id)
  if (order?.hold?.status !== 'authorized' || others.some(({ status }) => isUndecided(status))) return null
  if (decision === 'clear')
    return `This charges the customer’s card $${order.total}. You can’t undo a charge.`
  const isCharged = order.otherLines.length > 0 || others.some(({ status }) => status === 'cleared')
  return isCharged
    ? 'This charges the customer’s card for the rest of the order. You can’t undo a charge.'
    : 'This cancels the order. The customer’s card will not be charged.'
}
