import type { CheckoutFailure } from './place-order.server.ts'

/**
 * The loaded page with the newest notes of its account. After someone else signed in in another
 * tab, a reloaded page is that account's, and notes of the earlier account don't belong on it.
 * @param failure the last reply to the form, if it failed
 * @param notes the newest reply with notes
 * @returns null when the failed form is another account's than the page: neither is shown then
 */
export function withOwnNotes<Page extends { userId: string }>(
  page: Page,
  failure: CheckoutFailure | null,
  notes: CheckoutFailure | null,
) {
  const isOwn = (reply: CheckoutFailure | null) => (reply?.values['userId'] ?? page.userId) === page.userId
  if (!isOwn(failure)) return null
  return isOwn(notes) ? { ...page, ...notes } : page
}
