import { toAppError } from '#server/errors.ts'
import { isRouteErrorResponse, type HandleErrorFunction } from 'react-router'
import { getContext } from './http/request-context.server.ts'

export { renderDocument as default } from './render/render-document.server.tsx'

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // A client that disconnects before the response aborts the request; that is not a failure.
  if (request.signal.aborted || toAppError(error).code !== 'INTERNAL') return
  // React Router rejects methods that a page does not have. The status in the log says enough.
  if (isRouteErrorResponse(error) && error.status < 500) return
  const ctx = getContext({ context })
  ctx.log.error({ err: error, requestId: ctx.requestId }, 'page failed')
}
