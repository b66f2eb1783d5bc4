import type { RequestClass } from './admission.ts'

/** What proxies and orchestrators request to learn whether the process runs and is ready. */
export const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** Patterns of the route table that a customer needs to sign in and to pay. */
const checkout = new Set([
  '/cart',
  '/checkout',
  '/checkout/verify',
  '/order-confirmation',
  '/login',
  '/login/callback',
  '/login/verify',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/confirm-email',
  '/account/confirm-code',
  '/api/login',
  '/api/logout',
  '/api/auth/user',
  '/api/create-payment-intent',
  '/demo-payments/confirm',
  '/demo-payments/complete',
  '/webhooks/stripe',
])

/** Reads of a person's own things. Other reads are browsing: the shop's pages, lists, exports. */
const ownReads = /^\/(api\/)?(orders|order-history|prescriptions|profile|account|shipping-addresses)(\/|$)/

/**
 * The class of a request. Only the exact path of a probe is one: `//healthz` and `/healthz.data`
 * are answered with a page.
 * @param route the pattern of its route
 */
export function classOf({
  path,
  route,
  method,
}: {
  path: string
  route: string
  method: string
}): RequestClass {
  if (probePaths.has(path)) return 'always'
  const isRead = method === 'GET' || method === 'HEAD'
  // Another method at the address of a file is answered with a page.
  if (route === 'static' && isRead) return 'always'
  if (checkout.has(route)) return 'checkout'
  // Placing the order of a payment that has succeeded.
  if (route === '/api/orders' && !isRead) return 'checkout'
  return isRead && !ownReads.test(route) ? 'browsing' : 'ordinary'
}
