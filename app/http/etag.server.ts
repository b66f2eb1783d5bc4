import { createHash } from 'node:crypto'

/** A weak ETag of some text: the same words, whatever encoding carries them. */
export const etagOf = (text: string): string => `W/"${createHash('sha1').update(text).digest('base64url')}"`

/** Whether the caller already has what this ETag names (RFC 9110, 13.1.2: weak comparison). */
export function callerHas(request: Request, etag: string): boolean {
  const given = request.headers.get('if-none-match')
  if (!given) return false
  const bare = etag.replace(/^W\//, '')
  return given.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === bare)
}
