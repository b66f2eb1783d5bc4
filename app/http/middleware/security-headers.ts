import type { Env } from '#server/env.ts'

/** `Headers`, or a `Map` with names in lower case, which is cheaper to fill. */
export type HeaderFields = {
  get: (name: string) => string | null | undefined
  set: (name: string, value: string) => unknown
}

/** Sets the headers of every response. */
export function setSecurityHeaders(headers: HeaderFields, status: number, env: Env): void {
  headers.set('x-content-type-options', 'nosniff')
  // Only a person's PDF is framed, by our own pages (app/http/file-reply.server.ts).
  if (headers.get('x-frame-options') !== 'SAMEORIGIN') headers.set('x-frame-options', 'DENY')
  const policy = headers.get('content-security-policy')
  // A 304 with a policy would replace the one of the stored page, and with it the nonce.
  if (status !== 304 && !policy?.includes('frame-ancestors')) {
    headers.set('content-security-policy', [...(policy ? [policy] : []), "frame-ancestors 'none'"].join('; '))
  }
  // A page may send a shorter referrer, never a longer one.
  if (headers.get('referrer-policy') !== 'strict-origin') {
    headers.set('referrer-policy', 'strict-origin-when-cross-origin')
  }
  headers.set('permissions-policy', 'camera=(self), geolocation=(), microphone=(), payment=(self)')
  headers.set('cross-origin-opener-policy', 'same-origin')
  headers.set('cross-origin-resource-policy', 'same-origin')
  if (env.publicOrigin.startsWith('https:')) {
    headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains')
  }
}

/** The page's Content-Security-Policy: our own files, and inline scripts with this page's nonce. */
export function contentSecurityPolicy(nonce: string, env: Env, path: string): string {
  // In development, Vite's client injects style elements, uses a WebSocket, and pings from a
  // worker.
  const dev = env.mode === 'dev'
  const provider = providerSources(env, path)
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${provider.script}`,
    `style-src 'self'${dev ? " 'unsafe-inline'" : ''}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${dev ? ' ws:' : ''}${provider.connect}`,
    ...(provider.frame ? [`frame-src${provider.frame}`] : []),
    // Navigating between admin pages keeps the first page's policy, so all of them allow frames.
    ...(/^\/admin(\/|$)/i.test(path) ? ["frame-src 'self'"] : []),
    ...(dev ? ['worker-src blob:'] : []),
    `form-action 'self'${provider.form}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(env.publicOrigin.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ].join('; ')
}

const nothing = { script: '', connect: '', frame: '', form: '' }

/**
 * Stripe's sources, for the checkout page only
 * (https://docs.stripe.com/security/guide#content-security-policy). Without scripts, the form is
 * redirected to Stripe's page, and browsers apply `form-action` to redirects too.
 */
function providerSources({ payments }: Env, path: string): typeof nothing {
  if (payments.kind !== 'stripe' || !/^\/checkout\/?$/i.test(path)) return nothing
  return {
    script: ' https://js.stripe.com https://*.js.stripe.com',
    connect: ' https://api.stripe.com',
    frame: ' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
    form: ` ${payments.apiUrl === null ? 'https://checkout.stripe.com' : new URL(payments.apiUrl).origin}`,
  }
}
