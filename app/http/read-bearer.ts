const apiPath = /^\/api(\/|$)/
const bearer = /^bearer +(\S*) *$/i

/** What a request presents in place of a session. */
export type Bearer = { key: string } | { key: null; ignoresSession: boolean }

/**
 * Reads `Authorization: Bearer`. Under /api it replaces the session, whatever it holds. Elsewhere a
 * request with an API key is a visitor's; other schemes, as a proxy adds them, change nothing.
 */
export function readBearer(request: Request, path: string): Bearer {
  const [, key] = bearer.exec(request.headers.get('authorization') ?? '') ?? []
  if (key === undefined) return { key: null, ignoresSession: false }
  if (apiPath.test(path)) return { key }
  return { key: null, ignoresSession: key.startsWith('meridian_') }
}
