/** React Router matches a path in any case. */
const apiPath = /^\/api(\/|$)/i
const bearer = /^bearer(?:[ \t](.*))?$/i

/** What a request presents in place of a session. */
export type Bearer = { key: string } | { key: null; ignoresSession: boolean }

/**
 * Reads `Authorization: Bearer`. Under /api it replaces the session, whatever it holds: a program
 * whose key is missing or malformed must not act as the user of a cookie. Elsewhere a request with
 * an API key is a visitor's; other schemes, as a proxy adds them, change nothing.
 */
export function readBearer(request: Request, path: string): Bearer {
  const found = bearer.exec(request.headers.get('authorization') ?? '')
  if (!found) return { key: null, ignoresSession: false }
  const key = (found[1] ?? '').trim()
  if (apiPath.test(path)) return { key }
  return { key: null, ignoresSession: key.startsWith('meridian_') }
}
