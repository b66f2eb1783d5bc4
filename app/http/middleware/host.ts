import { AppError } from '#domain/errors.ts'
import type { Env } from '#server/env.ts'
import { isLoopbackHost } from '#server/loopback.ts'

/**
 * Rejects a Host that is not ours, so that no link, cache entry or cookie is created for another
 * name.
 */
export function checkHost(request: Request, env: Env): void {
  const host = (request.headers.get('host') ?? new URL(request.url).host).toLowerCase()
  const ours = new URL(env.publicOrigin)
  const withPort = `${ours.hostname}:${ours.protocol === 'https:' ? 443 : 80}`
  // Some proxies include the default port.
  if (host === ours.host || (ours.port === '' && host === withPort)) return
  // "127.999.0.1" looks like a loopback name but is not a valid host.
  if (env.mode !== 'production' && isLoopbackHost(host) && URL.canParse(`http://${host}`)) return
  throw new AppError('MISDIRECTED')
}
