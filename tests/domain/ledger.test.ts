import {
  batchCustomers,
  batchSpan,
  batchSumsSchema,
  comparePlaces,
  fromPlainRow,
  inboxContentSchema,
  ledgerChangeSchema,
  sortChanges,
  splitInbox,
  toTransaction,
  type LedgerChange,
  type OpenInboxRow,
} from '#domain/ledger/ledger.ts'
import { describe, expect, test } from 'vitest'

const noon = Date.parse('2026-03-10T12:00:00Z')
const minute = 60_000

const change = (id: string, changes: Partial<LedgerChange> = {}): LedgerChange => ({
  id,
  variantId: 'variant',
  type: 'sale',
  change: -2,
  before: 10,
  notes: null,
  at: noon,
  sequence: 1,
  ...changes,
})

describe('a change of the ledger', () => {
  test('a change is a transaction with the stock before and after', () => {
    expect(toTransaction(change('a', { notes: 'By hand' }))).toEqual({
      id: 'a',
      productVariantId: 'variant',
      transactionType: 'sale',
      quantityChange: -2,
      quantityBefore: 10,
      quantityAfter: 8,
      notes: 'By hand',
      createdAt: new Date(noon),
    })
  })

  test('changes of plain rows come before every sealed one, in the order of time', () => {
    const row = toTransaction(change('a', { type: 'purchase', change: 5 }))
    const plain = fromPlainRow(row)
    expect(toTransaction(plain)).toEqual(row)
    expect(plain.sequence).toBeLessThan(0)
    expect(fromPlainRow({ ...row, createdAt: new Date(noon + 1) }).sequence).toBe(plain.sequence + 1)
    expect(fromPlainRow({ ...row, createdAt: new Date('2200-01-01') }).sequence).toBeLessThan(0)
  })

  test('a change is stored with whole numbers and a known type', () => {
    const stored = change('a', { lots: [{ lotId: 'lot', change: -2 }] })
    expect(inboxContentSchema.parse({ orderIds: ['o'], changes: [stored] })).toEqual({
      orderIds: ['o'],
      changes: [stored],
    })
    const types = ['purchase', 'adjustment', 'return', 'damaged', 'expired', 'sale', 'cancellation']
    for (const type of types)
      expect(ledgerChangeSchema.safeParse({ ...stored, type }).success, type).toBe(true)
    for (const wrong of [{ type: 'gift' }, { change: 0.5 }, { at: 0.5 }, { lots: [{ lotId: 'lot' }] }])
      expect(ledgerChangeSchema.safeParse({ ...stored, ...wrong }).success, JSON.stringify(wrong)).toBe(false)
    expect(batchSumsSchema.parse([['variant', 3]])).toEqual([['variant', 3]])
    expect(batchSumsSchema.safeParse([['variant', 0.5]]).success).toBe(false)
  })
})

describe('the order of the ledger', () => {
  const placed = (id: string, placeMs: number, sequence: number) => ({ ...change(id, { sequence }), placeMs })
  test.each([
    ['the time', placed('b', 1, 9), placed('a', 2, 1)],
    ['the sequence at the same time', placed('b', 1, 1), placed('a', 1, 2)],
    ['the id of two variants’ changes', placed('a', 1, 1), placed('b', 1, 1)],
  ])('the ledger is ordered by %s', (_, first, second) => {
    expect(comparePlaces(first, second)).toBeLessThan(0)
    expect(comparePlaces(second, first)).toBeGreaterThan(0)
    expect(comparePlaces(first, first)).toBe(0)
  })

  test('the ledger keeps a variant’s sequence although a clock was late', () => {
    const changes = [
      change('third', { sequence: 3, at: noon + 2 }),
      change('second', { sequence: 2, at: noon - 5 }),
      change('first', { sequence: 1, at: noon }),
      change('other', { variantId: 'other', sequence: 1, at: noon - 1 }),
    ]
    expect(sortChanges(changes).map(({ id, placeMs }) => [id, placeMs - noon])).toEqual([
      ['other', -1],
      ['first', 0],
      ['second', 0],
      ['third', 2],
    ])
    expect(changes.map(({ id }) => id)).toEqual(['third', 'second', 'first', 'other'])
  })
})

describe('the inbox is split into batches of enough customers', () => {
  let last = 0
  /** A row with one change a minute later than the last one. */
  const row = (id: string, changes: Partial<LedgerChange> = {}): OpenInboxRow => {
    last += 1
    const own = change(`change of ${id}`, { at: noon + last * minute, sequence: last, ...changes })
    return { id, orderIds: [`order of ${id}`], changes: [own] }
  }
  const customersOf = (names: Record<string, string>): Map<string, string> =>
    new Map(Object.entries(names).map(([id, customer]) => [`order of ${id}`, customer]))
  const split = (rows: OpenInboxRow[], names: Record<string, string>, min: number) => {
    const { batches, missing } = splitInbox(rows, customersOf(names), min)
    return { batches: batches.map((batch) => batch.map(({ id }) => id)), missing }
  }

  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((id) => row(id)) as [
    OpenInboxRow,
    OpenInboxRow,
    OpenInboxRow,
    OpenInboxRow,
    OpenInboxRow,
  ]
  const all = { a: 'Ann', b: 'Bob', c: 'Cy', d: 'Di', e: 'Ed' }

  test.each<[string, OpenInboxRow[], Record<string, string>, number, string[][], number]>([
    ['nothing', [], {}, 2, [], 2],
    ['one customer of two', [a], all, 2, [], 1],
    ['two of two', [a, b], all, 2, [['a', 'b']], 2],
    [
      'five of two',
      [e, a, d, b, c],
      all,
      2,
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      1,
    ],
    ['a customer who ordered twice', [a, b, c], { ...all, b: 'Ann' }, 2, [['a', 'b', 'c']], 2],
    ['an order of a deleted account', [a, b, c], { a: 'Ann', c: 'Cy' }, 2, [['a', 'b', 'c']], 2],
    ['a row without orders', [a, { ...b, orderIds: [] }, c], all, 2, [['a', 'b', 'c']], 2],
    ['two orders in one row', [{ ...a, orderIds: ['order of a', 'order of b'] }, c], all, 2, [['a']], 1],
  ])('%s', (_, rows, names, min, batches, missing) => {
    expect(split(rows, names, min)).toEqual({ batches, missing })
  })

  test('rows of one time go by their sequence', () => {
    const [one, two] = [row('one', { at: noon }), row('two', { at: noon })]
    expect(split([two, one], { one: 'Ann', two: 'Bob' }, 1)).toEqual({
      batches: [['one'], ['two']],
      missing: 1,
    })
  })

  test('a row of several changes goes by its last one', () => {
    const late = row('late', { variantId: 'x', at: noon + 500 * minute })
    const early = row('early', { variantId: 'y', at: noon + 400 * minute })
    const both = {
      ...late,
      changes: [change('z', { variantId: 'z', at: noon, sequence: 0 }), ...late.changes],
    }
    expect(split([both, early], { late: 'Ann', early: 'Bob' }, 1)).toEqual({
      batches: [['early'], ['late']],
      missing: 1,
    })
  })

  test('a row of several changes at one time goes by the highest sequence', () => {
    const both: OpenInboxRow = {
      id: 'both',
      orderIds: ['order of both'],
      changes: [
        change('x', { variantId: 'x', sequence: 1, at: noon }),
        change('y', { variantId: 'y', sequence: 9, at: noon }),
      ],
    }
    const single = row('single', { variantId: 'z', sequence: 5, at: noon })
    expect(split([both, single], { both: 'Ann', single: 'Bob' }, 1)).toEqual({
      batches: [['single'], ['both']],
      missing: 1,
    })
  })

  test('batches that would separate a variant’s changes in the wrong order become one', () => {
    // The row with the second change of x also has a change that puts it after the third.
    const first: OpenInboxRow = {
      id: 'first',
      orderIds: ['order of first'],
      changes: [
        change('x2', { variantId: 'x', sequence: 2, at: noon }),
        change('y', { variantId: 'y', sequence: 9, at: noon + 9 * minute }),
      ],
    }
    const second: OpenInboxRow = {
      id: 'second',
      orderIds: ['order of second'],
      changes: [change('x3', { variantId: 'x', sequence: 3, at: noon + minute })],
    }
    const names = { first: 'Ann', second: 'Bob' }
    expect(split([first, second], names, 1)).toEqual({ batches: [['first', 'second']], missing: 1 })
    // What is left over in the inbox counts, too.
    expect(split([first, second], { second: 'Bob' }, 1)).toEqual({
      batches: [['first', 'second']],
      missing: 1,
    })
    expect(split([first, second], names, 3)).toEqual({ batches: [], missing: 1 })
  })

  test('a batch has at least 24 customers in the shop', () => {
    expect(batchCustomers).toBe(24)
  })
})

describe('the time that a batch covers', () => {
  const at = (time: string): Date => new Date(`2026-03-10T${time}:00.000Z`)
  const changes = ['12:10', '11:59', '12:40'].map((time, i) => change(`${i}`, { at: at(time).getTime() }))
  test.each([
    ['whole hours, once they have passed', '15:00', null, '11:00', '13:00'],
    ['until now in the current hour', '12:50', null, '11:00', '12:50'],
    ['a whole hour when a clock was late', '12:30', null, '11:00', '13:00'],
    ['a whole hour at the time of the last change', '12:40', null, '11:00', '13:00'],
    ['no earlier end than the batch before', '12:50', '12:55', '11:00', '12:55'],
    ['its own end when the batch before ended earlier', '15:00', '12:00', '11:00', '13:00'],
  ])('a batch covers %s', (_, now, previous, from, to) => {
    const previousEnd = previous === null ? null : at(previous)
    expect(batchSpan(changes, { now: at(now), previousEnd })).toEqual({ fromAt: at(from), toAt: at(to) })
  })

  test('a batch reaches an hour beyond a change on the hour', () => {
    expect(batchSpan([change('a')], { now: at('20:00'), previousEnd: null })).toEqual({
      fromAt: at('12:00'),
      toAt: at('13:00'),
    })
  })
})
