import type { Db } from '#db/engine/client.ts'
import {
  findDemoPayment,
  updateDemoPaymentStatus,
  payDemoPayment,
  insertDemoPayment,
  insertDemoRefund,
  type DemoPaymentRow,
} from '#db/checkout/demo-payments.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { randomBytes } from 'node:crypto'
import type { Payment, Payments } from './payments.ts'

/** The demo card numbers and their results (contract, "Demo payments"). */
const cards: Readonly<Record<string, { status: 'succeeded' | 'requires_action' } | { declined: string }>> = {
  '4242424242424242': { status: 'succeeded' },
  '4000000000000002': { declined: 'Your card was declined.' },
  '4000000000009995': { declined: 'Your card has insufficient funds.' },
  '4000002500003155': { status: 'requires_action' },
}

/**
 * A provider that moves no money. It keeps its records in the shop's database and sends no
 * webhooks.
 */
export const demoPayments = (db: Db): Payments => ({
  kind: 'demo',
  publishableKey: null,
  hosted: null,
  createPayment: async ({ checkoutId, amountCents }) => {
    const row = await insertDemoPayment(db, {
      id: `pi_${newId().replaceAll('-', '')}`,
      idempotencyKey: `${checkoutId}:intent`,
      secret: randomBytes(16).toString('hex'),
      checkoutId,
      amountCents,
      status: 'unpaid',
      createdAt: new Date(),
    })
    return toPayment({ ...row, refundedCents: 0 })
  },
  findPayment: async (id) => {
    const row = await findDemoPayment(db, id)
    return row && toPayment(row)
  },
  cancelPayment: async (id) => {
    for (const from of ['unpaid', 'requires_action'] as const) {
      if (await updateDemoPaymentStatus(db, { id, from, to: 'canceled' })) break
    }
    return toPayment(await requirePayment(db, id))
  },
  refund: async ({ paymentId, amountCents, key }) => {
    const id = `re_${newId().replaceAll('-', '')}`
    const stored = await insertDemoRefund(db, {
      idempotencyKey: key,
      id,
      paymentId,
      amountCents,
      createdAt: new Date(),
    })
    return stored === null ? { id: null, status: 'failed' } : { id: stored, status: 'succeeded' }
  },
  readEvent: () => {
    throw new AppError('BAD_REQUEST', 'Demo payments send no webhooks.')
  },
})

/**
 * Stands in for the browser: pays with a card and returns the payment. Throws PAYMENT_REQUIRED with
 * the card's message, INVALID (cardNumber) for a number that is not a demo card, NOT_FOUND, and
 * CONFLICT when the payment was canceled.
 */
export async function confirmDemoPayment(
  db: Db,
  { clientSecret, cardNumber }: { clientSecret: string; cardNumber: string },
): Promise<Payment> {
  const card = cards[cardNumber.replaceAll(/[\s-]/g, '')]
  const succeeds = card && 'status' in card && card.status === 'succeeded'
  // The usual case, an unpaid payment and a valid card, takes one statement.
  const paid = succeeds ? await payDemoPayment(db, parseClientSecret(clientSecret)) : null
  if (paid) return toPayment({ ...paid, refundedCents: 0 })
  const payment = await findBySecret(db, clientSecret)
  if (!card) {
    const message = 'This is not a demo card. Use 4242 4242 4242 4242.'
    throw new AppError('INVALID', undefined, { fields: { cardNumber: message } })
  }
  if (payment.status === 'succeeded') return payment
  if (payment.status === 'canceled') throw new AppError('CONFLICT', 'This payment was canceled.')
  if ('declined' in card) throw new AppError('PAYMENT_REQUIRED', card.declined)
  return updatePayment(db, payment, card.status)
}

/**
 * Completes the bank's verification of a payment. Throws NOT_FOUND, CONFLICT when it needs none,
 * and PAYMENT_REQUIRED when it failed.
 */
export async function completeDemoPayment(
  db: Db,
  { clientSecret, outcome }: { clientSecret: string; outcome: 'succeed' | 'fail' },
): Promise<Payment> {
  const payment = await findBySecret(db, clientSecret)
  if (payment.status === 'succeeded') return payment
  if (payment.status !== 'requires_action')
    throw new AppError('CONFLICT', 'This payment doesn’t need verification.')
  const updated = await updatePayment(db, payment, outcome === 'succeed' ? 'succeeded' : 'unpaid')
  if (updated.status === 'succeeded') return updated
  throw new AppError('PAYMENT_REQUIRED', 'Your bank didn’t confirm the payment.')
}

/** The first of two concurrent calls decides, and both return the result. */
async function updatePayment(db: Db, payment: Payment, to: DemoPaymentRow['status']): Promise<Payment> {
  const from = payment.status === 'requires_action' ? 'requires_action' : 'unpaid'
  if (await updateDemoPaymentStatus(db, { id: payment.id, from, to })) return { ...payment, status: to }
  return toPayment(await requirePayment(db, payment.id))
}

function parseClientSecret(clientSecret: string): { id: string; secret: string } {
  const [id = '', secret = ''] = clientSecret.split('_secret_')
  return { id, secret }
}

async function findBySecret(db: Db, clientSecret: string): Promise<Payment> {
  const row = await findDemoPayment(db, parseClientSecret(clientSecret).id)
  const payment = row && toPayment(row)
  if (payment?.clientSecret !== clientSecret) throw new AppError('NOT_FOUND', 'Payment not found')
  return payment
}

async function requirePayment(db: Db, id: string) {
  const row = await findDemoPayment(db, id)
  if (!row) throw new AppError('NOT_FOUND', 'Payment not found')
  return row
}

const toPayment = (row: DemoPaymentRow & { refundedCents: number }): Payment => ({
  id: row.id,
  status: row.status,
  amountCents: row.amountCents,
  refundedCents: row.refundedCents,
  clientSecret: `${row.id}_secret_${row.secret}`,
  checkoutId: row.checkoutId,
})
