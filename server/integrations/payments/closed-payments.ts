import type { Payments } from './payments.ts'

function fail(): never {
  throw new Error('No payment provider is available.')
}

/** Replaces the provider where nothing is paid: on the command line. */
export const closedPayments: Payments = {
  kind: 'demo',
  publishableKey: null,
  createPayment: fail,
  findPayment: fail,
  cancelPayment: fail,
  capturePayment: fail,
  voidPayment: fail,
  hosted: null,
  refund: fail,
  readEvent: fail,
}
