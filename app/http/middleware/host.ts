import { AppError } from '#domain/errors.ts'
import { isLoopbackHost, type Env } from '#server/env.ts'

/** Refuses a Host that is not ours, so that no link, cache or cookie is ever made for a foreign name. */
export function checkHost(request: Request, env: Env): void {
  const host = (request.headers.get('host') ?? new URL(request.url).host).toLowerCase()
  const ours = new URL(env.publicOrigin)
  const withPort = `${ours.hostname}:${ours.protocol === 'https:' ? 443 : 80}`
  // Some proxies name the port that goes without saying.
  if (host === ours.host || (ours.port === '' && host === withPort)) return
  // "127.999.0.1" looks like a loopback name and is no host at all.
  if (env.mode !== 'production' && isLoopbackHost(host) && URL.canParse(`http://${host}`)) return
  throw new AppError('MISDIRECTED')
}
