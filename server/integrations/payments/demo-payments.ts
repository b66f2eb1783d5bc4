import type { Db } from '#db/engine/client.ts'
import {
  findDemoPayment,
  moveDemoPayment,
  payDemoPayment,
  putDemoPayment,
  putDemoRefund,
  type DemoPaymentRow,
} from '#db/checkout/demo-payments.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { randomBytes } from 'node:crypto'
import type { Payment, Payments } from './payments.ts'

/** The numbers of the demo's cards and what each does (contract, "Demo payments"). */
const cards: Readonly<Record<string, { status: 'succeeded' | 'requires_action' } | { declined: string }>> = {
  '4242424242424242': { status: 'succeeded' },
  '4000000000000002': { declined: 'Your card was declined.' },
  '4000000000009995': { declined: 'Your card has insufficient funds.' },
  '4000002500003155': { status: 'requires_action' },
}

/** A provider that moves no money, with its books in the shop's own database. Tells nothing by webhook. */
export const demoPayments = (db: Db): Payments => ({
  kind: 'demo',
  publishableKey: null,
  hosted: null,
  createPayment: async ({ checkoutId, amountCents }) => {
    const row = await putDemoPayment(db, {
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
      if (await moveDemoPayment(db, { id, from, to: 'canceled' })) break
    }
    return toPayment(await requirePayment(db, id))
  },
  refund: async ({ paymentId, amountCents, key }) => {
    const id = `re_${newId().replaceAll('-', '')}`
    const stored = await putDemoRefund(db, {
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
 * Plays the browser's part: gives a card for a payment. Answers how the payment stands. Throws PAYMENT_REQUIRED with the card's
 * message, INVALID (cardNumber) for a number that is no demo card's, NOT_FOUND, and CONFLICT when the payment is over.
 */
export async function confirmDemoPayment(
  db: Db,
  { clientSecret, cardNumber }: { clientSecret: string; cardNumber: string },
): Promise<Payment> {
  const card = cards[cardNumber.replaceAll(/[\s-]/g, '')]
  const pays = card && 'status' in card && card.status === 'succeeded'
  // Mostly it is unpaid and the card is good: one statement then.
  const paid = pays ? await payDemoPayment(db, partsOf(clientSecret)) : null
  if (paid) return toPayment({ ...paid, refundedCents: 0 })
  const payment = await bySecret(db, clientSecret)
  if (!card) {
    const sentence = 'This is not a demo card. Use 4242 4242 4242 4242.'
    throw new AppError('INVALID', undefined, { fields: { cardNumber: sentence } })
  }
  if (payment.status === 'succeeded') return payment
  if (payment.status === 'canceled') throw new AppError('CONFLICT', 'This payment was cancelled.')
  if ('declined' in card) throw new AppError('PAYMENT_REQUIRED', card.declined)
  return settle(db, payment, card.status)
}

/** Ends the second step of a payment. Throws NOT_FOUND, CONFLICT when it asks for none, PAYMENT_REQUIRED when it failed. */
export async function completeDemoPayment(
  db: Db,
  { clientSecret, outcome }: { clientSecret: string; outcome: 'succeed' | 'fail' },
): Promise<Payment> {
  const payment = await bySecret(db, clientSecret)
  if (payment.status === 'succeeded') return payment
  if (payment.status !== 'requires_action')
    throw new AppError('CONFLICT', 'This payment asks for no second step.')
  const settled = await settle(db, payment, outcome === 'succeed' ? 'succeeded' : 'unpaid')
  if (settled.status === 'succeeded') return settled
  throw new AppError('PAYMENT_REQUIRED', 'Your bank did not confirm the payment.')
}

/** Of two at once the first counts, and both are told how it stands. */
async function settle(db: Db, payment: Payment, to: DemoPaymentRow['status']): Promise<Payment> {
  const from = payment.status === 'requires_action' ? 'requires_action' : 'unpaid'
  if (await moveDemoPayment(db, { id: payment.id, from, to })) return { ...payment, status: to }
  return toPayment(await requirePayment(db, payment.id))
}

function partsOf(clientSecret: string): { id: string; secret: string } {
  const [id = '', secret = ''] = clientSecret.split('_secret_')
  return { id, secret }
}

async function bySecret(db: Db, clientSecret: string): Promise<Payment> {
  const row = await findDemoPayment(db, partsOf(clientSecret).id)
  const payment = row && toPayment(row)
  if (payment?.clientSecret !== clientSecret) throw new AppError('NOT_FOUND', 'There is no such payment.')
  return payment
}

async function requirePayment(db: Db, id: string) {
  const row = await findDemoPayment(db, id)
  if (!row) throw new AppError('NOT_FOUND', 'There is no such payment.')
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
