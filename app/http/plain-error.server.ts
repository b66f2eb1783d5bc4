import { errorCodes, httpStatus, type AppError } from '#domain/errors.ts'

/** An error from /api and the guards: one plain sentence (contract, "/api", "Responses"). */
export function plainError(error: AppError): Response {
  const headers = new Headers({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
  if (error.retryAfter !== undefined) headers.set('Retry-After', String(error.retryAfter))
  return new Response(errorSentence(error), { status: httpStatus(error.code), headers })
}

/** A general validation error lists its fields' messages instead. */
function errorSentence({ code, message, fields }: AppError): string {
  const complaints = Object.entries(fields).map(([name, sentence]) => `${name}: ${sentence}`)
  return message === errorCodes[code].sentence && complaints.length > 0 ? complaints.join(' ') : message
}
