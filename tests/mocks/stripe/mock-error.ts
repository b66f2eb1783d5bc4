/** An error as Stripe answers it (https://docs.stripe.com/api/errors). */
export class StripeMockError extends Error {
  readonly status: number
  readonly body: { error: Record<string, unknown> & { message: string; type: string } }

  constructor(
    status: number,
    message: string,
    fields: { type?: string; code?: string; param?: string; [field: string]: unknown } = {},
  ) {
    super(message)
    this.name = 'StripeRefusal'
    this.status = status
    const { code } = fields
    const docs = code && { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }
    this.body = { error: { type: 'invalid_request_error', ...fields, ...docs, message } }
  }
}

export const missing = (what: string, id: string, param = 'id'): StripeMockError =>
  new StripeMockError(404, `No such ${what}: '${id}'`, { code: 'resource_missing', param })

/** For what Stripe does and this mock does not. */
export const notSimulated = (what: string): StripeMockError =>
  new StripeMockError(501, `The stand-in does not simulate ${what}.`, { type: 'api_error' })
