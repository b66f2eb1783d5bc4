const acceptedId = /^[\w-]{8,64}$/

/**
 * The caller's own id when it is well-formed, so that a proxy's log matches ours; otherwise a new
 * one.
 */
export function resolveRequestId(request: Request): string {
  const id = request.headers.get('x-request-id')
  return id && acceptedId.test(id) ? id : crypto.randomUUID()
}
