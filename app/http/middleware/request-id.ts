export const requestIdHeader = 'x-request-id'

const acceptedId = /^[\w-]{8,64}$/

/**
 * The id that a trusted proxy sent, so that its log matches ours; otherwise a new one. A client
 * could choose the id of another request, and the audit log records it.
 * @param hops the number of trusted proxies; with 0 the header is ignored
 */
export function resolveRequestId(request: Request, hops: number): string {
  const id = hops > 0 ? request.headers.get(requestIdHeader) : null
  return id && acceptedId.test(id) ? id : crypto.randomUUID()
}
