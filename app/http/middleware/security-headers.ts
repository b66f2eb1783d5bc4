import type { Env } from '#server/env.ts'

/** What every response carries. */
export function setSecurityHeaders(headers: Headers, env: Env): void {
  headers.set('X-Content-Type-Options', 'nosniff')
  // A file of a person's stands beside what is known of them (lib/file-reply.server.ts); nothing else is framed, by ourselves neither.
  if (headers.get('X-Frame-Options') !== 'SAMEORIGIN') headers.set('X-Frame-Options', 'DENY')
  // A page may say less of itself, never more.
  if (headers.get('Referrer-Policy') !== 'strict-origin') {
    headers.set('Referrer-Policy', 'strict-origin-when-cross-origin')
  }
  headers.set('Permissions-Policy', 'camera=(self), geolocation=(), microphone=(), payment=(self)')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  if (env.publicOrigin.startsWith('https:')) {
    headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
  }
}

/** The page's policy: our own files, and inline scripts that carry this page's nonce. */
export function contentSecurityPolicy(nonce: string, env: Env, path: string): string {
  // Vite's client injects style elements, talks over a socket and pings from a worker while developing.
  const dev = env.mode === 'dev'
  const provider = providerSources(env, path)
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${provider.script}`,
    `style-src 'self'${dev ? " 'unsafe-inline'" : ''}`,
    "img-src 'self' https: data:",
    "font-src 'self'",
    `connect-src 'self'${dev ? ' ws:' : ''}${provider.connect}`,
    ...(provider.frame ? [`frame-src${provider.frame}`] : []),
    // From any of its pages one comes to the others without another policy.
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
 * What the page of checkout lets in besides, and no other page (https://docs.stripe.com/security/guide#content-security-policy). Without scripts its
 * form is led on to the provider's page, and browsers hold the whole way of a form to the policy.
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
