/** React Router matches a path in any case. */
const apiPath = /^\/api(\/|$)/i
const bearer = /^bearer(?:[ \t](.*))?$/i
/** Also what a program sends by mistake: a key without the scheme, or `Bearer:`. */
const bearerLike = /^(?:bearer\b|meridian_)/i
/** Stands for a key whose header is not `Bearer KEY`. No key looks like this. */
const malformedKey = 'malformed'

/** What a request presents in place of a session. The key is empty when it is missing. */
export type Bearer = { key: string } | { key: null; ignoresSession: boolean }

/**
 * Reads `Authorization: Bearer`. Under /api it replaces the session, whatever it holds: a program
 * whose key is missing or malformed must not act as the user of a cookie. Elsewhere a request with
 * an API key is a visitor's; other schemes, as a proxy adds them, change nothing.
 */
export function readBearer(request: Request, path: string): Bearer {
  const value = request.headers.get('authorization') ?? ''
  if (!bearerLike.test(value)) return { key: null, ignoresSession: false }
  if (!apiPath.test(path)) return { key: null, ignoresSession: value.includes('meridian_') }
  const found = bearer.exec(value)
  return { key: found ? (found[1] ?? '').trim() : malformedKey }
}
