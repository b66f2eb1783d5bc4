import { errorCodes, statusOf, type AppError } from '#domain/errors.ts'

/** An error as `/api` and the guards answer it: one plain sentence (contract, "/api", "Responses"). */
export function plainError(error: AppError): Response {
  const headers = new Headers({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
  if (error.retryAfter !== undefined) headers.set('Retry-After', String(error.retryAfter))
  return new Response(sentenceOf(error), { status: statusOf(error.code), headers })
}

/** A refusal that says no more than which fields are wrong names them. */
function sentenceOf({ code, message, fields }: AppError): string {
  const complaints = Object.entries(fields).map(([name, sentence]) => `${name}: ${sentence}`)
  return message === errorCodes[code].sentence && complaints.length > 0 ? complaints.join(' ') : message
}
