import { newId } from '#domain/ids.ts'
import {
  completeDemoPayment,
  confirmDemoPayment,
  demoPayments,
} from '#server/integrations/payments/demo-payments.ts'
import type { NewPayment, Payment, Payments } from '#server/integrations/payments/payments.ts'
import { stripePayments } from '#server/integrations/payments/stripe-payments.ts'
import { stripeInProcess } from '#tests/mocks/stripe/server.ts'
import { stripeKeys, stripeStandIn } from '#tests/mocks/stripe/stand-in.ts'
import { releaseReports } from '#tests/mocks/stripe/holds.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { describe, expect, onTestFinished, test } from 'vitest'

type Card = 'good' | 'declined' | 'no funds' | 'second step'

/** A provider, and what the browser does with it. */
type Opened = {
  payments: Payments
  /** Pays with a card. Throws the card's error message. */
  pay: (payment: Payment, card: Card) => Promise<unknown>
  answerBank: (payment: Payment, outcome: 'succeed' | 'fail') => Promise<unknown>
  /** Lets the authorization of a payment lapse. */
  lapse: (payment: Payment) => Promise<unknown>
}

const demoCards: Record<Card, string> = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  'no funds': '4000 0000 0000 9995',
  'second step': '4000 0025 0000 3155',
}
const stripeCards: Record<Card, string> = {
  good: 'pm_card_visa',
  declined: 'pm_card_chargeDeclined',
  'no funds': 'pm_card_visa_chargeDeclinedInsufficientFunds',
  'second step': 'pm_card_authenticationRequired',
}

/** Stripe's adapter against the stand-in. */
function openStripe(standIn = stripeStandIn()) {
  const server = stripeInProcess(standIn)
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  const payments = stripePayments({
    kind: 'stripe',
    secretKey: stripeKeys.secret,
    publishableKey: stripeKeys.publishable,
    webhookSecret: stripeKeys.webhook,
    apiUrl: null,
  })
  return {
    payments,
    standIn,
    pay: (payment: Payment, card: Card) => standIn.confirm(payment.clientSecret, { card: stripeCards[card] }),
    answerBank: async (payment: Payment, outcome: 'succeed' | 'fail') =>
      standIn.store.settleIntent(payment.id, outcome),
    lapse: async (payment: Payment) => standIn.store.expireHold(payment.id),
  }
}

const newPayment = (amountCents = 1099): NewPayment => ({
  checkoutId: newId(),
  amountCents,
  capture: 'automatic',
})

/** The same after it was charged in full. */
const charged = (payment: Payment): Payment => ({
  ...payment,
  status: 'succeeded',
  capturedCents: payment.amountCents,
})

/** What the shop requires of every payment provider. */
function testContract(open: () => Promise<Opened>): void {
  test('a new payment is unpaid, ours and of the requested amount', async () => {
    const { payments } = await open()
    const params = newPayment()
    const payment = await payments.createPayment(params)
    expect(payment).toEqual({
      id: expect.stringMatching(/^pi_\w+$/),
      status: 'unpaid',
      amountCents: 1099,
      capturedCents: 0,
      refundedCents: 0,
      captureBefore: null,
      clientSecret: expect.stringMatching(new RegExp(`^${payment.id}_secret_\\w{16,}$`)),
      checkoutId: params.checkoutId,
    })
    expect(await payments.findPayment(payment.id)).toEqual(payment)
  })

  test('a checkout has one payment; creating it again returns its current state', async () => {
    const { payments, pay } = await open()
    const params = newPayment()
    const payment = await payments.createPayment(params)
    const again = await Promise.all([payments.createPayment(params), payments.createPayment(params)])
    expect(again).toEqual([payment, payment])
    await pay(payment, 'good')
    expect(await payments.createPayment(params)).toEqual(charged(payment))
    const other = await payments.createPayment(newPayment())
    expect(other.id).not.toBe(payment.id)
  })

  test.each([
    ['declined', 'Your card was declined.'],
    ['no funds', 'Your card has insufficient funds.'],
  ] as const)('a %s card leaves the payment unpaid, and another card pays it', async (card, message) => {
    const { payments, pay } = await open()
    const payment = await payments.createPayment(newPayment())
    await expect(pay(payment, card)).rejects.toThrow(message)
    expect(await payments.findPayment(payment.id)).toEqual(payment)
    await pay(payment, 'good')
    expect(await payments.findPayment(payment.id)).toEqual(charged(payment))
  })

  test('a payment that requires verification is paid only when the bank confirms it', async () => {
    const { payments, pay, answerBank } = await open()
    const payment = await payments.createPayment(newPayment())
    const statusNow = async () => (await payments.findPayment(payment.id))?.status
    await pay(payment, 'second step')
    expect(await statusNow()).toBe('requires_action')
    await answerBank(payment, 'fail').catch(() => 'told to the browser')
    expect(await statusNow()).toBe('unpaid')
    await pay(payment, 'second step')
    await answerBank(payment, 'succeed')
    expect(await statusNow()).toBe('succeeded')
  })

  test('a canceled payment cannot be paid, and can be canceled again', async () => {
    const { payments, pay } = await open()
    const payment = await payments.createPayment(newPayment())
    const cancelled = { ...payment, status: 'canceled' }
    expect(await payments.cancelPayment(payment.id)).toEqual(cancelled)
    await expect(pay(payment, 'good')).rejects.toThrow(/cancel/)
    expect(await payments.cancelPayment(payment.id)).toEqual(cancelled)
    expect(await payments.findPayment(payment.id)).toEqual(cancelled)
  })

  test('a payment that requires verification can be canceled', async () => {
    const { payments, pay } = await open()
    const payment = await payments.createPayment(newPayment())
    await pay(payment, 'second step')
    expect(await payments.cancelPayment(payment.id)).toMatchObject({ status: 'canceled' })
  })

  test('canceling a paid payment returns it as paid', async () => {
    const { payments, pay } = await open()
    const payment = await payments.createPayment(newPayment())
    await pay(payment, 'good')
    expect(await payments.cancelPayment(payment.id)).toMatchObject({ status: 'succeeded' })
  })

  test('concurrent paying and canceling end in one of the two, and both callers learn which', async () => {
    const { payments, pay } = await open()
    const payment = await payments.createPayment(newPayment())
    const [paid, cancelled] = await Promise.allSettled([
      pay(payment, 'good'),
      payments.cancelPayment(payment.id),
    ])
    const current = await payments.findPayment(payment.id)
    expect(['succeeded', 'canceled']).toContain(current?.status)
    expect(cancelled).toEqual({ status: 'fulfilled', value: current })
    if (current?.status === 'succeeded') expect(paid.status).toBe('fulfilled')
  })

  test('a refund is made once per key', async () => {
    const { payments, pay } = await open()
    const payment = await payments.createPayment(newPayment())
    await pay(payment, 'good')
    const refund = { paymentId: payment.id, amountCents: 1099, key: `${payment.checkoutId}:refund` }
    const given = await payments.refund(refund)
    expect(given).toEqual({ id: expect.stringMatching(/^re_\w+$/), status: 'succeeded' })
    expect(await Promise.all([payments.refund(refund), payments.refund(refund)])).toEqual([given, given])
    expect(await payments.findPayment(payment.id)).toMatchObject({ status: 'succeeded', refundedCents: 1099 })
  })

  test('refunds never exceed the payment', async () => {
    const { payments, pay } = await open()
    const payment = await payments.createPayment(newPayment())
    const part = (key: string, amountCents: number) =>
      payments.refund({ paymentId: payment.id, amountCents, key: `${payment.id}:${key}` })
    const failed = { id: null, status: 'failed' }
    expect(await part('unpaid', 1099)).toEqual(failed)
    await pay(payment, 'good')
    expect(await part('more', 1100)).toEqual(failed)
    expect(await part('a', 1000)).toMatchObject({ status: 'succeeded' })
    expect(await part('b', 100)).toEqual(failed)
    expect(await part('c', 99)).toMatchObject({ status: 'succeeded' })
    expect(await part('d', 1)).toEqual(failed)
    expect(await payments.findPayment(payment.id)).toMatchObject({ refundedCents: 1099 })
  })

  test.each([
    'pi_3AAAAAAAAAAAAAAAAAAAAAAAA',
    'pi_',
    '',
    'cs_test_a1',
    '../refunds',
    'pi_1?expand',
    'ünbekannt',
  ])('no payment has the id %j', async (id) => {
    const { payments } = await open()
    expect(await payments.findPayment(id)).toBeNull()
  })

  test('canceling an unknown payment is NOT_FOUND', async () => {
    const { payments } = await open()
    await expect(payments.cancelPayment('pi_3AAAAAAAAAAAAAAAAAAAAAAAA')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
}

/** What the shop requires of authorizations. */
function testHolds(open: () => Promise<Opened>): void {
  async function openHeld() {
    const opened = await open()
    const payment = await opened.payments.createPayment({ ...newPayment(), capture: 'manual' })
    await opened.pay(payment, 'good')
    const held = await opened.payments.findPayment(payment.id)
    if (!held) throw new Error('The payment is gone.')
    const capture = (amountCents: number, key = 'capture') =>
      opened.payments.capturePayment({ paymentId: payment.id, amountCents, key: `${payment.id}:${key}` })
    const voidIt = () => opened.payments.voidPayment({ paymentId: payment.id, key: `${payment.id}:void` })
    const refund = (amountCents: number) =>
      opened.payments.refund({ paymentId: payment.id, amountCents, key: `${payment.id}:${amountCents}` })
    return { ...opened, payment, held, capture, voidIt, refund }
  }
  const captured = (payment: Payment, capturedCents: number): Payment => ({
    ...payment,
    status: 'succeeded',
    capturedCents,
  })

  test('a payment with manual capture is authorized, and canceling unpaid payments leaves it so', async () => {
    const { payments, payment, held } = await openHeld()
    expect(held).toEqual({ ...payment, status: 'authorized', captureBefore: expect.any(Date) })
    const daysLeft = (Number(held.captureBefore) - Date.now()) / (24 * 3600_000)
    expect(daysLeft).toBeGreaterThan(6.9)
    expect(daysLeft).toBeLessThan(7.1)
    expect(await payments.cancelPayment(payment.id)).toEqual(held)
    expect(await payments.findPayment(payment.id)).toEqual(held)
  })

  test('a payment that requires verification is authorized when the bank confirms it', async () => {
    const { payments, pay, answerBank } = await open()
    const payment = await payments.createPayment({ ...newPayment(), capture: 'manual' })
    await pay(payment, 'second step')
    expect(await payments.findPayment(payment.id)).toMatchObject({ status: 'requires_action' })
    await answerBank(payment, 'succeed')
    expect(await payments.findPayment(payment.id)).toMatchObject({ status: 'authorized' })
  })

  test('a part is captured once, and the rest is no refund', async () => {
    const { payments, payment, capture, voidIt, refund } = await openHeld()
    const answer = { status: 'captured', payment: captured(payment, 700) }
    expect(await capture(700)).toEqual(answer)
    expect(await capture(700)).toEqual(answer)
    expect(await capture(300, 'a second key')).toEqual(answer)
    expect(await voidIt()).toEqual(answer.payment)
    expect(await payments.cancelPayment(payment.id)).toEqual(answer.payment)
    expect(await payments.findPayment(payment.id)).toEqual(answer.payment)
    // 399 were never captured.
    expect(await refund(701)).toEqual({ id: null, status: 'failed' })
    expect(await refund(399)).toMatchObject({ status: 'succeeded' })
    expect(await payments.findPayment(payment.id)).toMatchObject({ refundedCents: 399 })
    expect(await refund(302)).toEqual({ id: null, status: 'failed' })
    expect(await refund(301)).toMatchObject({ status: 'succeeded' })
    expect(await payments.findPayment(payment.id)).toMatchObject({ capturedCents: 700, refundedCents: 700 })
  })

  test.each([1100, 0, -1])('a capture of %d of 1099 cents is refused and leaves the rest', async (cents) => {
    const { payment, held, capture } = await openHeld()
    expect(await capture(cents, 'wrong')).toEqual({ status: 'refused', payment: held })
    expect(await capture(1099)).toEqual({ status: 'captured', payment: captured(payment, 1099) })
  })

  test('a voided payment charges nothing and cannot be captured or refunded', async () => {
    const { payments, payment, pay, capture, voidIt, refund } = await openHeld()
    const voided = { ...payment, status: 'canceled' }
    expect(await refund(1)).toEqual({ id: null, status: 'failed' })
    expect(await voidIt()).toEqual(voided)
    expect(await voidIt()).toEqual(voided)
    expect(await capture(700)).toEqual({ status: 'lapsed', payment: voided })
    expect(await refund(2)).toEqual({ id: null, status: 'failed' })
    await expect(pay(payment, 'good')).rejects.toThrow(/cancel/)
    expect(await payments.findPayment(payment.id)).toEqual(voided)
  })

  test('an authorization that lapsed is canceled and charges nothing', async () => {
    const { payments, payment, lapse, capture, voidIt } = await openHeld()
    await lapse(payment)
    const lapsed = { ...payment, status: 'canceled' }
    expect(await capture(700)).toEqual({ status: 'lapsed', payment: lapsed })
    expect(await voidIt()).toEqual(lapsed)
    expect(await payments.findPayment(payment.id)).toEqual(lapsed)
  })

  test('concurrent captures and voids end in one of them, and all callers learn which', async () => {
    const { payments, payment, capture, voidIt } = await openHeld()
    const answers = await Promise.all([capture(700), capture(1099, 'other'), voidIt()])
    const current = await payments.findPayment(payment.id)
    const status = current?.status === 'succeeded' ? 'captured' : 'lapsed'
    expect(answers).toEqual([{ status, payment: current }, { status, payment: current }, current])
    expect(['succeeded', 'canceled']).toContain(current?.status)
  })

  test('an unpaid payment is not captured, an unknown one is NOT_FOUND', async () => {
    const { payments } = await open()
    const payment = await payments.createPayment({ ...newPayment(), capture: 'manual' })
    const capture = { paymentId: payment.id, amountCents: 1, key: `${payment.id}:capture` }
    expect(await payments.capturePayment(capture)).toEqual({ status: 'lapsed', payment })
    const voiding = { paymentId: payment.id, key: `${payment.id}:void` }
    expect(await payments.voidPayment(voiding)).toEqual({ ...payment, status: 'canceled' })
    const unknown = { ...capture, paymentId: 'pi_3AAAAAAAAAAAAAAAAAAAAAAAA' }
    for (const call of [payments.capturePayment, payments.voidPayment])
      await expect(call({ ...unknown, key: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
}

eachEngine((_, openDb) => {
  describe('demo payments', () => {
    const openDemo = async (): Promise<Opened> => {
      const db = await openDb()
      return {
        payments: demoPayments(db),
        pay: ({ clientSecret }, card) =>
          confirmDemoPayment(db, { clientSecret, cardNumber: demoCards[card] }),
        answerBank: ({ clientSecret }, outcome) => completeDemoPayment(db, { clientSecret, outcome }),
        lapse: ({ id }) =>
          db.updateTable('demoPayments').set({ captureBefore: new Date() }).where('id', '=', id).execute(),
      }
    }
    testContract(openDemo)
    testHolds(openDemo)
  })
})

describe('Stripe', () => {
  testContract(async () => openStripe())
})

describe.each(releaseReports)('Stripe, reporting what it releases as %s', (releaseReport) => {
  testHolds(async () => {
    const opened = openStripe()
    opened.standIn.store.settings.releaseReport = releaseReport
    return opened
  })
})
