import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import { summarizeFailure } from '#domain/checkout/failure-summary.ts'
import { expect, test } from 'vitest'

const summaryOf = (fields: Record<string, string>, message: string | null = null) =>
  summarizeFailure({ message, fields })

test.each([
  [{ city: 'City is required.', zipCode: 'ZIP Code is required.' }, 'Missing Shipping Information'],
  [{ prescriptionId: checkoutMessages.choosePrescription }, 'Prescription Required'],
  [{ payment: 'Your card was declined.' }, 'Payment Failed'],
  [{ cardNumber: 'Card number is required.', cardCvc: 'CVC is required.' }, 'Check your card details'],
  [{ accepted: checkoutMessages.accept, 'line-1': 'Out of stock.' }, 'Your order hasn’t been placed yet'],
])('%j alone is headed %s', (fields, title) => {
  expect(summaryOf(fields)).toEqual({ title, fields })
})

test('each failed part is named once, and a failure without fields has its message', () => {
  expect(
    summaryOf({
      city: 'City is required.',
      country: 'Country is required.',
      prescriptionId: checkoutMessages.choosePrescription,
      accepted: checkoutMessages.accept,
    }),
  ).toEqual({
    title: 'Please check these fields',
    fields: {
      city: 'Missing Shipping Information: City is required.',
      country: 'Country is required.',
      prescriptionId: `Prescription Required: ${checkoutMessages.choosePrescription}`,
      accepted: checkoutMessages.accept,
    },
  })
  expect(summaryOf({}, 'Payment Processing Unavailable').title).toBe('Payment Processing Unavailable')
})
