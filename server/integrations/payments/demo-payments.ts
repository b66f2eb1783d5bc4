import type { Db } from '#db/engine/client.ts'
import {
  captureDemoPayment,
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
import { isPaid, type Payment, type Payments } from './payments.ts'

/** The demo card numbers and their results (contract, "Demo payments"). */
const cards: Readonly<Record<string, { status: 'succeeded' | 'requires_action' } | { declined: string }>> = {
  '4242424242424242': { status: 'succeeded' },
  '4000000000000002': { declined: 'Your card was declined.' },
  '4000000000009995': { declined: 'Your card has insufficient funds.' },
  '4000002500003155': { status: 'requires_action' },
}

/** How long an authorization lasts, as with most cards. */
const authorizationMs = 7 * 24 * 3600_000

/**
 * A provider that moves no money. It keeps its records in the shop's database and sends no
 * webhooks.
 */
export const demoPayments = (db: Db, now: () => Date = () => new Date()): Payments => ({
  kind: 'demo',
  publishableKey: null,
  hosted: null,
  createPayment: async ({ checkoutId, amountCents, capture }) => {
    const row = await insertDemoPayment(db, {
      id: `pi_${newId().replaceAll('-', '')}`,
      idempotencyKey: `${checkoutId}:intent`,
      secret: randomBytes(16).toString('hex'),
      checkoutId,
      amountCents,
      status: 'unpaid',
      captureMethod: capture,
      capturedCents: 0,
      captureBefore: null,
      createdAt: now(),
    })
    return toPayment({ ...row, refundedCents: 0 })
  },
  findPayment: async (id) => {
    const row = await findUnlapsed(db, id, now())
    return row && toPayment(row)
  },
  cancelPayment: async (id) => {
    for (const from of ['unpaid', 'requires_action'] as const) {
      if (await updateDemoPaymentStatus(db, { id, from, to: 'canceled' })) break
    }
    return requirePayment(db, id, now())
  },
  capturePayment: async ({ paymentId, amountCents }) => {
    // Reads first, because an authorization that has lapsed cannot be captured.
    const before = await requirePayment(db, paymentId, now())
    if (before.status === 'authorized' && amountCents > 0)
      await captureDemoPayment(db, { id: paymentId, amountCents })
    const payment = await requirePayment(db, paymentId, now())
    if (payment.status === 'succeeded') return { status: 'captured', payment }
    return { status: payment.status === 'authorized' ? 'refused' : 'lapsed', payment }
  },
  voidPayment: async ({ paymentId }) => {
    for (const from of ['authorized', 'unpaid', 'requires_action'] as const) {
      if (await updateDemoPaymentStatus(db, { id: paymentId, from, to: 'canceled' })) break
    }
    return requirePayment(db, paymentId, now())
  },
  refund: async ({ paymentId, amountCents, key }) => {
    const id = `re_${newId().replaceAll('-', '')}`
    const stored = await insertDemoRefund(db, {
      idempotencyKey: key,
      id,
      paymentId,
      amountCents,
      createdAt: now(),
    })
    return stored === null ? { id: null, status: 'failed' } : { id: stored, status: 'succeeded' }
  },
  readEvent: () => {
    throw new AppError('BAD_REQUEST', 'Demo payments send no webhooks.')
  },
})

/**
 * What the browser learns of its payment, as Stripe's script would tell it. An authorized payment
 * has succeeded, and was not captured (contract, "Payment and orders").
 */
export const toDemoReply = ({ id, status }: Payment) =>
  status === 'authorized' ? { id, status: 'succeeded', captured: false } : { id, status }

/** What the browser does, and when. */
type Confirmation<T> = { clientSecret: string; now?: Date } & T

/**
 * Stands in for the browser: pays with a card, or authorizes it, and returns the payment. Throws
 * PAYMENT_REQUIRED with the card's message, INVALID (cardNumber) for a number that is not a demo
 * card, NOT_FOUND, and CONFLICT when the payment was canceled.
 */
export async function confirmDemoPayment(
  db: Db,
  { clientSecret, cardNumber, now = new Date() }: Confirmation<{ cardNumber: string }>,
): Promise<Payment> {
  const card = cards[cardNumber.replaceAll(/[\s-]/g, '')]
  const succeeds = card && 'status' in card && card.status === 'succeeded'
  // The usual case, an unpaid payment and a valid card, takes one statement.
  const paid = succeeds ? await pay(db, { clientSecret, from: 'unpaid', now }) : null
  if (paid) return paid
  const payment = await findBySecret(db, clientSecret, now)
  if (!card) {
    const message = 'This is not a demo card. Use 4242 4242 4242 4242.'
    throw new AppError('INVALID', undefined, { fields: { cardNumber: message } })
  }
  if (isPaid(payment)) return payment
  if (payment.status === 'canceled') throw new AppError('CONFLICT', 'This payment was canceled.')
  if ('declined' in card) throw new AppError('PAYMENT_REQUIRED', card.declined)
  if (card.status === 'succeeded') {
    await pay(db, { clientSecret, from: 'requires_action', now })
  } else {
    await updateDemoPaymentStatus(db, { id: payment.id, from: 'unpaid', to: 'requires_action' })
  }
  return requirePayment(db, payment.id, now)
}

/**
 * Completes the bank's verification of a payment. Throws NOT_FOUND, CONFLICT when it needs none,
 * and PAYMENT_REQUIRED when it failed.
 */
export async function completeDemoPayment(
  db: Db,
  { clientSecret, outcome, now = new Date() }: Confirmation<{ outcome: 'succeed' | 'fail' }>,
): Promise<Payment> {
  const payment = await findBySecret(db, clientSecret, now)
  if (isPaid(payment)) return payment
  if (payment.status !== 'requires_action')
    throw new AppError('CONFLICT', 'This payment doesn’t need verification.')
  // The first of two concurrent calls decides, and both return the result.
  if (outcome === 'succeed') await pay(db, { clientSecret, from: 'requires_action', now })
  else await updateDemoPaymentStatus(db, { id: payment.id, from: 'requires_action', to: 'unpaid' })
  const updated = await requirePayment(db, payment.id, now)
  if (isPaid(updated)) return updated
  throw new AppError('PAYMENT_REQUIRED', 'Your bank didn’t confirm the payment.')
}

async function pay(
  db: Db,
  { clientSecret, from, now }: { clientSecret: string; from: 'unpaid' | 'requires_action'; now: Date },
): Promise<Payment | null> {
  const captureBefore = new Date(now.getTime() + authorizationMs)
  const row = await payDemoPayment(db, { ...parseClientSecret(clientSecret), from, captureBefore })
  return row && toPayment({ ...row, refundedCents: 0 })
}

function parseClientSecret(clientSecret: string): { id: string; secret: string } {
  const [id = '', secret = ''] = clientSecret.split('_secret_')
  return { id, secret }
}

async function findBySecret(db: Db, clientSecret: string, now: Date): Promise<Payment> {
  const row = await findUnlapsed(db, parseClientSecret(clientSecret).id, now)
  const payment = row && toPayment(row)
  if (payment?.clientSecret !== clientSecret) throw new AppError('NOT_FOUND', 'Payment not found')
  return payment
}

/** A payment whose authorization was canceled if it has lapsed. */
async function findUnlapsed(db: Db, id: string, now: Date) {
  const row = await findDemoPayment(db, id)
  const hasLapsed = row?.status === 'authorized' && row.captureBefore !== null && row.captureBefore <= now
  if (!hasLapsed) return row
  await updateDemoPaymentStatus(db, { id, from: 'authorized', to: 'canceled' })
  return findDemoPayment(db, id)
}

async function requirePayment(db: Db, id: string, now: Date): Promise<Payment> {
  const row = await findUnlapsed(db, id, now)
  if (!row) throw new AppError('NOT_FOUND', 'Payment not found')
  return toPayment(row)
}

const toPayment = (row: DemoPaymentRow & { refundedCents: number }): Payment => ({
  id: row.id,
  status: row.status,
  amountCents: row.amountCents,
  capturedCents: row.capturedCents,
  refundedCents: row.refundedCents,
  captureBefore: row.status === 'authorized' ? row.captureBefore : null,
  clientSecret: `${row.id}_secret_${row.secret}`,
  checkoutId: row.checkoutId,
})
