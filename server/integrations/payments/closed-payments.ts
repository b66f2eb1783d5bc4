import type { Payments } from './payments.ts'

function refuse(): never {
  throw new Error('No payment provider is open.')
}

/** In place of a provider where nothing is paid: on the command line. */
export const closedPayments: Payments = {
  kind: 'demo',
  publishableKey: null,
  createPayment: refuse,
  findPayment: refuse,
  cancelPayment: refuse,
  hosted: null,
  refund: refuse,
  readEvent: refuse,
}
