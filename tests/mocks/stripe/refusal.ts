/** An error as Stripe answers it (https://docs.stripe.com/api/errors). */
export class StripeRefusal extends Error {
  readonly status: number
  readonly body: { error: Record<string, unknown> & { message: string; type: string } }

  constructor(
    status: number,
    message: string,
    said: { type?: string; code?: string; param?: string; [field: string]: unknown } = {},
  ) {
    super(message)
    this.name = 'StripeRefusal'
    this.status = status
    const { code } = said
    const docs = code && { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }
    this.body = { error: { type: 'invalid_request_error', ...said, ...docs, message } }
  }
}

export const missing = (what: string, id: string, param = 'id'): StripeRefusal =>
  new StripeRefusal(404, `No such ${what}: '${id}'`, { code: 'resource_missing', param })

/** What the real one would do and this one does not. */
export const notSimulated = (what: string): StripeRefusal =>
  new StripeRefusal(501, `The stand-in does not simulate ${what}.`, { type: 'api_error' })
