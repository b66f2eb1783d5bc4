import { describeOrderLine } from '#domain/dispensing/order-line-state.ts'
import { describe, expect, test } from 'vitest'

// A Tuesday; two business days later is Thursday, March 12.
const orderedAt = new Date('2026-03-10T12:00:00Z')
const facts = {
  now: new Date('2026-03-10T13:00:00Z'),
  orderedAt,
  decideBy: null,
  isCharged: false,
  othersWait: false,
  needsSecondCheck: false,
}
const decideBy = new Date('2026-03-16T12:00:00Z')
const removal = 'If no pharmacist has decided by Mar 16, we’ll remove it and won’t charge you for it.'
const review = (status: 'waiting' | 'asked' | 'cleared' | 'refused', decidedAt: Date | null = null) => ({
  status,
  decidedAt,
  dispensedAt: null,
})

describe('a prescription line of an order', () => {
  test('a waiting line says until when it is usually decided', () => {
    const soon = 'Usually decided by Mar 12. We’ll email you the decision.'
    const waiting = { status: 'waiting', message: 'Waiting for a pharmacist', next: soon }
    expect(describeOrderLine(review('waiting'), facts)).toEqual(waiting)
    // An order from before reviews waits, too.
    expect(describeOrderLine(null, facts)).toEqual(waiting)
    expect(describeOrderLine(null, { ...facts, now: new Date('2026-03-12T12:00:00Z') })).toEqual(waiting)
    expect(describeOrderLine(null, { ...facts, decideBy }).next).toBe(`${soon} ${removal}`)
  })

  test('a line that waits for too long promises no day', () => {
    expect(describeOrderLine(null, { ...facts, now: new Date('2026-03-12T12:00:01Z') }).next).toBe(
      'This is taking longer than usual. We’ll email you the decision.',
    )
  })

  test('a line with a question waits for the customer’s answer', () => {
    expect(describeOrderLine(review('asked'), { ...facts, decideBy })).toEqual({
      status: 'asked',
      message: 'A pharmacist asked you a question',
      next: `We’re waiting for your answer. ${removal}`,
    })
  })

  test.each([
    [
      'others wait',
      { othersWait: true, needsSecondCheck: true, isCharged: true },
      'once a pharmacist has decided on your other prescription items.',
    ],
    [
      'it needs a second check',
      { needsSecondCheck: true, isCharged: true },
      'after a second pharmacist has checked it.',
    ],
    ['it is charged', { isCharged: true }, 'within 1-2 business days.'],
    ['it is not charged', {}, 'once your card is charged.'],
  ])('a cleared line says when it ships: %s', (_, changes, when) => {
    expect(describeOrderLine(review('cleared', orderedAt), { ...facts, ...changes })).toEqual({
      status: 'cleared',
      message: 'Cleared by a pharmacist on Mar 10',
      next: `It ships ${when}`,
    })
  })

  test('a refused line costs nothing', () => {
    expect(describeOrderLine(review('refused'), facts)).toEqual({
      status: 'refused',
      message: 'Refused by a pharmacist',
      next: 'You won’t pay for it.',
    })
  })

  test('a line that left the pharmacy says when', () => {
    const dispensedAt = new Date('2026-03-13T23:30:00Z')
    expect(describeOrderLine({ ...review('cleared', orderedAt), dispensedAt }, facts)).toEqual({
      status: 'dispensed',
      message: 'Dispensed on Mar 13',
      next: null,
    })
  })
})
