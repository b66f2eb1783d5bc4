import { createHash } from 'node:crypto'

/** A weak ETag: the same for a text in any content encoding. */
export const computeEtag = (text: string): string =>
  `W/"${createHash('sha1').update(text).digest('base64url')}"`

/** Whether the caller already has this version (RFC 9110, 13.1.2: weak comparison). */
export function hasCurrentVersion(request: Request, etag: string): boolean {
  const header = request.headers.get('if-none-match')
  if (!header) return false
  const bare = etag.replace(/^W\//, '')
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === bare)
}
