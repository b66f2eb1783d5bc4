import { statusOf, type AppError } from '#domain/errors.ts'

/** An error as `/api` and the guards answer it: one plain sentence (contract, "/api: Replies"). */
export function plainError(error: AppError): Response {
  const headers = new Headers({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
  if (error.retryAfter !== undefined) headers.set('Retry-After', String(error.retryAfter))
  return new Response(error.message, { status: statusOf(error.code), headers })
}
