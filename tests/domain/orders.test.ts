import {
  captureMethodOf,
  checkoutContentSchema,
  computeFingerprint,
  isUsableAtCheckout,
  lineSchema,
  needsPrescription,
  sumLines,
  type FrozenLine,
} from '#domain/checkout/checkout.ts'
import {
  computeTotal,
  estimateArrival,
  estimateDelivery,
  latestShipping,
  linesLeftToShip,
  listRefusedLines,
  orderContentSchema,
  remainingLines,
} from '#domain/orders/orders.ts'
import { sumLineRefunds } from '#domain/orders/line-refunds.ts'
import { describe, expect, test } from 'vitest'

const line = (id: string, changes: Partial<FrozenLine> = {}): FrozenLine => ({
  id,
  productVariantId: `variant of ${id}`,
  quantity: 2,
  priceCents: 1250,
  isTracked: true,
  product: { id: 'product', name: 'Lisinopril', category: 'Rx' },
  variant: {
    brandName: null,
    strength: '10',
    strengthUnit: 'mg',
    dosageForm: 'tablet',
    formDetail: '',
    packageSize: 30,
    packageUnit: 'tablet',
  },
  ...changes,
})
const refused = (lineId: string) => ({ lineId, reason: 'No stock', at: '2026-03-10T12:00:00.000Z' })

const [one, two] = [line('one'), line('two', { quantity: 1, priceCents: 999 })]
const idsOf = (lines: readonly { id: string }[]) => lines.map(({ id }) => id)

describe('an order whose lines were refused', () => {
  test.each([
    ['none', [], ['one', 'two'], 3499],
    ['one', ['one'], ['two'], 999],
    // Nothing will be charged; the total stays what was ordered.
    ['all', ['one', 'two'], [], 3499],
    ['an unknown one', ['three'], ['one', 'two'], 3499],
  ])('%s: the rest and its total', (_, refusedIds, left, total) => {
    const content = { lines: [one, two], refusedLines: refusedIds.map(refused) }
    expect(idsOf(remainingLines(content))).toEqual(left)
    expect(computeTotal(content)).toBe(total)
  })

  test('each refused line has its reason and its time', () => {
    const content = { lines: [one, two], refusedLines: [refused('two'), refused('three')] }
    expect(listRefusedLines(content)).toEqual([
      { ...two, reason: 'No stock', refusedAt: new Date('2026-03-10T12:00:00Z') },
    ])
  })

  test.each([
    ['nothing', {}, ['one', 'two']],
    ['a unit of two', { one: 1 }, ['one', 'two']],
    ['a whole line', { one: 2 }, ['two']],
    ['everything', { one: 2, two: 1 }, []],
  ])('%s refunded: what is left to ship', (_, units, left) => {
    const refundOf = (quantity: number) =>
      sumLineRefunds([
        {
          quantity,
          restocked: 0,
          positions: null,
          restock: false,
          createdAt: new Date(0),
          failedAt: null,
        },
      ])
    const refunds = new Map(Object.entries(units).map(([id, quantity]) => [id, refundOf(quantity)]))
    expect(idsOf(linesLeftToShip({ lines: [one, two], refusedLines: [] }, refunds))).toEqual(left)
    expect(
      idsOf(linesLeftToShip({ lines: [one, two], refusedLines: [refused('one'), refused('two')] }, refunds)),
    ).toEqual([])
  })
})

test('a lot on both sides of a unit in no lot is listed once when all units are left to ship', () => {
  const lot = { lotId: 'b', lotNumber: 'B', expiresOn: '2026-12-31' }
  const parts = [
    { ...lot, quantity: 1 },
    { ...lot, quantity: 2, start: 2 },
  ]
  const four = line('four', { quantity: 4, lots: parts })
  expect(linesLeftToShip({ lines: [four], refusedLines: [] }, new Map())).toEqual([
    { ...four, lots: [{ ...lot, quantity: 3 }] },
  ])
})

test('a line with a refunded item ships the units of the others', () => {
  const refund = {
    quantity: 1,
    restocked: 0,
    positions: [1],
    restock: false,
    createdAt: new Date(0),
    failedAt: null,
  }
  const three = line('three', { quantity: 3, units: 90 })
  const refunds = new Map([['three', sumLineRefunds([refund])]])
  expect(linesLeftToShip({ lines: [three], refusedLines: [] }, refunds)).toEqual([
    { ...three, quantity: 2, units: 60 },
  ])
})

test('the total of no line is nothing', () => {
  expect([sumLines([]), sumLines([one]), sumLines([one, two])]).toEqual([0, 2500, 3499])
})

test('an order with a prescription medicine is charged after its review', () => {
  const otc = line('otc', { product: { id: 'other', name: 'Ibuprofen', category: 'OTC' } })
  expect([[], [otc], [otc, one]].map(needsPrescription)).toEqual([false, false, true])
  expect([[], [otc], [otc, one]].map(captureMethodOf)).toEqual(['automatic', 'automatic', 'manual'])
})

test.each([
  ['approved', true],
  ['under_review', true],
  ['rejected', false],
  ['expired', false],
] as const)('a prescription that is %s can be used at checkout: %s', (status, expected) => {
  expect(isUsableAtCheckout(status)).toBe(expected)
})

test('the fingerprint of a cart changes with its lines, quantities and prices, not their order', () => {
  const a = { productVariantId: 'a', quantity: 1, priceCents: 100 }
  const b = { productVariantId: 'b', quantity: 2, priceCents: null }
  expect(computeFingerprint([b, a])).toBe('a*1@100 b*2@-')
  expect(computeFingerprint([a, b])).toBe('a*1@100 b*2@-')
  expect(computeFingerprint([])).toBe('')
})

test('a stored line has whole positive units and cents', () => {
  expect(lineSchema.parse(one)).toEqual(one)
  for (const changes of [
    { quantity: 0 },
    { quantity: 1.5 },
    { priceCents: 0 },
    { priceCents: 0.5 },
    { units: 0 },
  ])
    expect(lineSchema.safeParse({ ...one, ...changes }).success, JSON.stringify(changes)).toBe(false)
  expect(lineSchema.safeParse({ ...one, daysSupply: -1 }).success).toBe(false)
  const customer = { name: 'Ada', email: 'ada@example.com' }
  const shipTo = { text: '1 Main St, Springfield, US', parts: null }
  const content = { userId: 'u', lines: [one], shipTo, prescriptionId: null, customer }
  expect(checkoutContentSchema.parse(content)).toEqual(content)
  // Orders from before refusals have no list of them.
  expect(orderContentSchema.parse({ lines: [one], shipTo, customer })).toEqual({
    lines: [one],
    refusedLines: [],
    shipTo,
    customer,
  })
})

describe('delivery', () => {
  // A Tuesday.
  const placedAt = new Date('2026-03-10T12:00:00Z')
  test.each([
    [true, '2026-03-19'],
    [false, '2026-04-01'],
  ])('within the pharmacies’ country: %s, takes business days until %s', (isDomestic, day) => {
    expect(estimateDelivery(placedAt, { isDomestic })).toBe(day)
  })

  test('a supply can start two business days after the order at the latest', () => {
    expect(latestShipping(placedAt)).toEqual(new Date('2026-03-12T12:00:00Z'))
    // A Friday.
    expect(latestShipping(new Date('2026-03-13T12:00:00Z'))).toEqual(new Date('2026-03-17T12:00:00Z'))
  })

  test('what ships now arrives without the days of handling', () => {
    expect(estimateArrival(placedAt, { isDomestic: true })).toBe('2026-03-17')
    expect(estimateArrival(placedAt, { isDomestic: false })).toBe('2026-03-30')
  })
})
