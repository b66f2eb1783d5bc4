import type { CheckoutAlerts } from './checkout-alerts.server.ts'
import type { CheckoutFailure } from './place-order.server.ts'

/**
 * The loaded page with the newest notes. After someone else signed in in another tab, a reloaded
 * page is that account's, while a refused form keeps what the earlier account typed. Then neither
 * account's alerts show, and no notes of the earlier account stay on the later one's page.
 * @param failure the last reply to the form, if it failed
 * @param notes the newest reply with notes
 */
export function withOwnNotes<Page extends { userId: string; alerts: CheckoutAlerts | null }>(
  page: Page,
  failure: CheckoutFailure | null,
  notes: CheckoutFailure | null,
) {
  const isOwn = (reply: CheckoutFailure | null) => (reply?.values['userId'] ?? page.userId) === page.userId
  if (!isOwn(failure)) return { ...page, alerts: null }
  return isOwn(notes) ? { ...page, ...notes } : page
}
