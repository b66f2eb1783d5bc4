const given = /^[\w-]{8,64}$/

/** The caller's own id when it is harmless, so that a proxy's log and ours agree; else a new one. */
export function requestIdOf(request: Request): string {
  const id = request.headers.get('x-request-id')
  return id && given.test(id) ? id : crypto.randomUUID()
}
