import {
  computeLapse,
  getCardEffect,
  getOrderPayment,
  getPaymentState,
  paymentLabels,
  shortestAuthorizationMs,
  type PaymentHoldStatus,
  type PaymentState,
} from '#domain/orders/payment-hold.ts'
import { expect, test } from 'vitest'

const createdAt = new Date('2026-03-10T12:00:00Z')
const refusedAt = new Date('2026-03-11T08:00:00Z')

test.each([
  [
    'a lapse that the provider names',
    '2026-03-17T12:00:00Z',
    24,
    '2026-03-17T12:00:00Z',
    '2026-03-16T12:00:00Z',
  ],
  ['the shortest time of a card', null, 24, '2026-03-14T12:00:00Z', '2026-03-13T12:00:00Z'],
  ['a margin of more than half of the time', null, 72, '2026-03-14T12:00:00Z', '2026-03-12T12:00:00Z'],
  ['no margin', null, 0, '2026-03-14T12:00:00Z', '2026-03-14T12:00:00Z'],
])('an authorization with %s is decided in time', (_, captureBefore, hours, lapsesAt, decideBy) => {
  const hold = { captureBefore: captureBefore === null ? null : new Date(captureBefore), createdAt }
  expect(computeLapse(hold, hours)).toEqual({
    lapsesAt: new Date(lapsesAt),
    decideBy: new Date(decideBy),
    marginMs: Date.parse(lapsesAt) - Date.parse(decideBy),
  })
  expect(shortestAuthorizationMs).toBe(4 * 86_400_000)
})

test.each<[number, number, PaymentHoldStatus | null, string]>([
  // Charged at checkout.
  [1000, 400, null, 'refunds'],
  [1000, 0, null, 'nothing'],
  [0, 0, null, 'nothing'],
  // Captured after the review.
  [1000, 1, 'captured', 'refunds'],
  [1000, 0, 'captured', 'nothing'],
  [1, 1, 'capturing', 'refunds'],
  // Not captured yet.
  [0, 0, 'authorized', 'voids'],
  [0, 1000, 'authorized', 'voids'],
  [0, 0, 'capturing', 'waits'],
])('%i cents captured, %i to refund, hold %s: a cancellation %s', (captured, refund, holdStatus, effect) => {
  expect(getCardEffect({ capturedCents: captured, refundCents: refund, holdStatus })).toBe(effect)
})

test.each<[PaymentHoldStatus, Date | null, PaymentState, string]>([
  ['authorized', null, 'authorized', 'Authorized'],
  ['authorized', refusedAt, 'refused', 'Capture refused'],
  ['capturing', null, 'capturing', 'Capturing'],
  ['capturing', refusedAt, 'capturing', 'Capturing'],
  ['captured', null, 'charged', 'Captured'],
  ['captured', refusedAt, 'charged', 'Captured'],
  ['voiding', null, 'voiding', 'Voiding'],
  ['voided', null, 'voided', 'Voided'],
  ['failed', null, 'lapsed', 'Authorization lapsed'],
])('a hold that is %s, refused at %s, reads %s', (status, refused, state, label) => {
  expect(getPaymentState({ status, refusedAt: refused })).toBe(state)
  expect(paymentLabels[state]).toBe(label)
})

test('an order without a hold was charged at checkout', () => {
  expect(getPaymentState(null)).toBe('charged')
  expect(getOrderPayment({ totalCents: 2900, capturedCents: 2900 }, null)).toEqual({
    state: 'charged',
    authorizedCents: 2900,
    capturedCents: 2900,
    captureBefore: null,
    refusedAt: null,
  })
})

test('only an authorized payment has a time until which it must be captured', () => {
  const captureBefore = new Date('2026-03-17T12:00:00Z')
  const hold = { status: 'authorized', authorizedCents: 5000, captureBefore, refusedAt } as const
  // The total is lower: a line was refused since.
  expect(getOrderPayment({ totalCents: 2900, capturedCents: 0 }, hold)).toEqual({
    state: 'refused',
    authorizedCents: 5000,
    capturedCents: 0,
    captureBefore,
    refusedAt,
  })
  expect(
    getOrderPayment(
      { totalCents: 2900, capturedCents: 2900 },
      { ...hold, status: 'captured', refusedAt: null },
    ),
  ).toEqual({
    state: 'charged',
    authorizedCents: 5000,
    capturedCents: 2900,
    captureBefore: null,
    refusedAt: null,
  })
})
