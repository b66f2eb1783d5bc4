import {
  findNamedLot,
  isFarExpiry,
  lotNumberField,
  lotReasonField,
  normalizeLotNumber,
  parseExpiry,
} from '#domain/inventory/lot-fields.ts'
import {
  compareExpiry,
  lotStatusPhrases,
  lotStatuses,
  lotUnitsSchema,
  lotsOfUnits,
  mergeLots,
  pickLots,
  replaceLots,
  sumShortUnits,
  sumUnits,
  unitRange,
  usableUntil,
  type AvailableLot,
  type LotUnits,
} from '#domain/inventory/lots.ts'
import { adjustmentSchema } from '#domain/inventory/stock-adjustment.ts'
import { describe, expect, test } from 'vitest'

const lot = (id: string, expiresOn: string, quantity: number): AvailableLot => ({
  id,
  lotNumber: id,
  expiresOn,
  quantity,
})
const late = lot('late', '2027-06-30', 5)
const soon = lot('soon', '2026-06-30', 3)
const next = lot('next', '2026-12-31', 2)
const lots = [late, soon, next]

describe('picking', () => {
  const cases: [string, number, number, string, [string, number][] | null][] = [
    ['the first to expire', 2, 10, '2026-03-10', [['soon', 2]]],
    ['a whole lot', 3, 10, '2026-03-10', [['soon', 3]]],
    [
      'several lots, the first to expire first',
      6,
      10,
      '2026-03-10',
      [
        ['soon', 3],
        ['next', 2],
        ['late', 1],
      ],
    ],
    ['a lot on its last day', 1, 10, '2026-06-30', [['soon', 1]]],
    ['no lot that expires before the supply ends', 1, 10, '2026-07-01', [['next', 1]]],
    [
      'what is in no lot last',
      12,
      13,
      '2026-03-10',
      [
        ['soon', 3],
        ['next', 2],
        ['late', 5],
      ],
    ],
    ['only what is in no lot', 3, 13, '2027-07-01', []],
    ['nothing when a unit is missing', 4, 13, '2027-07-01', null],
    ['nothing when the lots end too soon', 6, 10, '2027-01-01', null],
  ]
  test.each(cases)('takes %s', (_, quantity, onHand, until, expected) => {
    const picked = pickLots(lots, { quantity, onHand, usableUntil: until })
    expect(picked?.map(({ lotId, quantity: units }) => [lotId, units]) ?? null).toEqual(expected)
  })

  test.each<[string, number, number, string, string, [string, number][] | null]>([
    ['none of those that expire on the way', 5, 10, '2026-03-10', '2027-01-01', [['late', 5]]],
    [
      'only the missing units from those, the longest lasting first, and lists them by expiry',
      8,
      10,
      '2026-03-10',
      '2027-01-01',
      [
        ['soon', 1],
        ['next', 2],
        ['late', 5],
      ],
    ],
    [
      'what is in no lot before those',
      7,
      11,
      '2026-03-10',
      '2027-01-01',
      [
        ['next', 1],
        ['late', 5],
      ],
    ],
    [
      'a lot that ends on the last day before any that ends earlier, and its units once',
      9,
      10,
      '2026-03-10',
      '2026-12-31',
      [
        ['soon', 2],
        ['next', 2],
        ['late', 5],
      ],
    ],
    ['the longest lasting if all expire on the way', 1, 10, '2026-03-10', '2028-01-01', [['late', 1]]],
    [
      'none that has to last longer',
      7,
      10,
      '2026-07-01',
      '2027-01-01',
      [
        ['next', 2],
        ['late', 5],
      ],
    ],
    ['nothing when too few last long enough', 8, 10, '2026-07-01', '2027-01-01', null],
    ['nothing when the lots have more than the stock', 1, 9, '2026-03-10', '2027-01-01', null],
  ])('takes %s', (_, quantity, onHand, until, lastingUntil, expected) => {
    const picked = pickLots(lots, { quantity, onHand, usableUntil: until, lastingUntil })
    expect(picked?.map(({ lotId, quantity: units }) => [lotId, units]) ?? null).toEqual(expected)
  })

  test('picking keeps the number and the expiry of a lot, and does not change its list', () => {
    const stock = Object.freeze([late, soon])
    expect(pickLots(stock, { quantity: 1, onHand: 8, usableUntil: '2026-03-10' })).toEqual([
      { lotId: 'soon', lotNumber: 'soon', expiresOn: '2026-06-30', quantity: 1 },
    ])
  })

  test('picking orders lots that expire on one day by their number', () => {
    const [a, b] = [lot('A', '2026-06-30', 1), lot('B', '2026-06-30', 1)]
    expect([compareExpiry(a, b), compareExpiry(b, a)]).toEqual([-1, 1])
    expect([compareExpiry(soon, late), compareExpiry(late, soon)]).toEqual([-1, 1])
    // The day counts more than the number.
    expect(compareExpiry({ ...a, lotNumber: 'Z' }, { ...b, expiresOn: '2026-07-01' })).toBe(-1)
    expect(compareExpiry({ ...b, expiresOn: '2026-07-01', lotNumber: 'A' }, { ...a, lotNumber: 'Z' })).toBe(1)
  })
})

test('units add up over lots', () => {
  expect([sumUnits([]), sumUnits(lots)]).toEqual([0, 10])
  const short = ['2026-06-30', '2026-07-01', '2026-12-31', '2027-06-30', '2027-07-01'].map((day) =>
    sumShortUnits(lots, day),
  )
  expect([sumShortUnits([], '2027-06-30'), short]).toEqual([0, [0, 3, 3, 5, 10]])
})

describe('a slice of a line’s units', () => {
  const unitsOf =
    (lot: Omit<LotUnits, 'quantity' | 'start'>) =>
    (quantity: number, start?: number): LotUnits => ({ ...lot, quantity, ...(start && { start }) })
  const a = unitsOf({ lotId: 'a', lotNumber: 'A', expiresOn: '2026-06-30' })
  const b = unitsOf({ lotId: 'b', lotNumber: 'B', expiresOn: '2026-12-31' })
  const held = [a(2), b(3)]
  const cases: [number, number, [string, number][]][] = [
    [
      0,
      5,
      [
        ['a', 2],
        ['b', 3],
      ],
    ],
    [0, 2, [['a', 2]]],
    [2, 3, [['b', 3]]],
    [
      1,
      2,
      [
        ['a', 1],
        ['b', 1],
      ],
    ],
    [3, 1, [['b', 1]]],
    // The last units are in no lot.
    [4, 3, [['b', 1]]],
    [5, 2, []],
    [0, 0, []],
  ]
  test.each(cases)('a slice after %i units, of %i units', (from, quantity, expected) => {
    const lots = lotsOfUnits(held, unitRange(from, from + quantity))
    expect(lots.map(({ lotId, quantity: units }) => [lotId, units])).toEqual(expected)
    expect(lots.every(({ lotNumber }) => 'AB'.includes(lotNumber))).toBe(true)
  })

  test('units that do not follow one another have their own lots', () => {
    expect(lotsOfUnits(held, [1, 3])).toEqual([a(1), b(1)])
    expect(lotsOfUnits(held, [3, 9])).toEqual([b(1)])
  })

  test('a lot around a unit of another lot, or in no lot, is listed once', () => {
    expect(mergeLots([b(1), a(1), b(2), b(1, 5)])).toEqual([b(4), a(1)])
    expect(lotsOfUnits([b(1), b(2, 2)], [0, 1, 3])).toEqual([b(2)])
  })

  test.each<[string, LotUnits[], number[], LotUnits[], LotUnits[]]>([
    ['none of them', held, [], [], held],
    ['the first by others of the next lot', held, [0, 1], [b(2)], [b(5)]],
    ['one in the middle', held, [1], [b(1)], [a(1), b(4)]],
    ['the first by units in no lot', held, [0, 1], [], [b(3, 2)]],
    ['those beside one in no lot', [], [1, 2], [b(2)], [b(2, 1)]],
    ['those around one in no lot', [b(2, 1)], [0, 2], [a(2)], [a(1), b(1), a(1)]],
    ['those on both sides of one in no lot', [], [0, 2, 3], [b(3)], [b(1), b(2, 2)]],
    ['the last by units in no lot', held, [3, 4], [b(1)], [a(2), b(2)]],
  ])('units of a line are picked again: %s', (_, before, positions, picked, after) => {
    expect(replaceLots(before, { quantity: 5, positions, picked })).toEqual(after)
  })
})

test.each([
  [30, '2026-04-09'],
  [1, '2026-03-11'],
  [0, '2026-03-10'],
  [null, '2026-03-10'],
  [undefined, '2026-03-10'],
])('a supply of %s days is usable until %s', (days, day) => {
  expect(usableUntil(new Date('2026-03-10T23:00:00Z'), days)).toBe(day)
})

test.each([
  [undefined, '2026-03-20', '2026-03-20'],
  [5, '2026-03-20', '2026-03-20'],
  [30, '2026-03-20', '2026-04-09'],
  [undefined, '2026-03-01', '2026-03-10'],
  [undefined, null, '2026-03-10'],
])('a supply of %s days that is used on %s at least is usable until %s', (days, atLeast, day) => {
  expect(usableUntil(new Date('2026-03-10T23:00:00Z'), days, atLeast)).toBe(day)
})

test('each status of a lot is a phrase, and stored units are whole', () => {
  expect(lotStatuses.map((status) => lotStatusPhrases[status])).toEqual([
    'is available',
    'is in quarantine',
    'has expired',
  ])
  const units = { lotId: 'a', lotNumber: 'A', expiresOn: '2026-06-30', quantity: 1 }
  expect(lotUnitsSchema.parse(units)).toEqual(units)
  for (const quantity of [0, -1, 1.5])
    expect(lotUnitsSchema.safeParse({ ...units, quantity }).success).toBe(false)
})

test.each([
  ['2027-06-30', '2027-06-30'],
  ['2027-06', '2027-06-30'],
  ['2028-02', '2028-02-29'],
  ['2027-01', '2027-01-31'],
  ['2027-12', '2027-12-31'],
  ['2027-00', null],
  ['2027-13', null],
  ['2027-02-30', null],
  ['12027-06', null],
  ['2027-06x', null],
  ['June 2027', null],
  ['', null],
])('a pack that prints "%s" expires on %s', (typed, day) => {
  expect(parseExpiry(typed)).toBe(day)
})

test.each([
  ['a1\u200B2', 'A12'],
  ['A\uFEFF12\u200D', 'A12'],
  ['\u200EA12\u200F', 'A12'],
  ['A\u00AD12\uFE0F', 'A12'],
  ['A\u00A0\u2003 12', 'A 12'],
  ['E\u0301-1', '\u00C9-1'],
  ['\uFE0F\u200B ', null],
])('the lot number %j is the lot that a reader sees: %j', (typed, number) => {
  expect(normalizeLotNumber(typed) || null).toBe(number)
})

test.each([
  [' a\u00A012 ', 'A\u00A012'],
  ['A\u202E12', 'A12'],
  ['\uFE0F\u200B ', null],
  ['\u200B'.repeat(40) + 'a  12', 'A 12'],
])('a form with the lot number %j names the lot as earlier releases stored it: %j', (typed, number) => {
  expect(lotNumberField.parse(typed)).toBe(number)
})

test('a lot number is at most 40 characters as a reader sees it', () => {
  expect(lotNumberField.safeParse('A'.repeat(40) + '\u200B').success).toBe(true)
  // U+0958 is two characters when it is normalized.
  expect(
    ['A'.repeat(41), '\u0958'.repeat(40)].map((typed) => lotNumberField.safeParse(typed).success),
  ).toEqual([false, false])
})

const plain = { lotNumber: 'A 12' }
const spaced = { lotNumber: 'A\u00A012' }
const hidden = { lotNumber: 'A\u200B12' }
test.each([
  ['A\u00A012', [plain, spaced], spaced],
  ['A 12', [spaced, plain], plain],
  ['A\u2003\u200312', [spaced, plain], plain],
  ['A 12', [spaced], spaced],
  ['A12', [plain, spaced, hidden], hidden],
  ['A13', [plain, spaced, hidden], null],
])('the number %j names one of the lots that are stored', (typed, lots, named) => {
  expect(findNamedLot(lots, typed)).toBe(named)
})

test.each([
  ['2026-01-05', false],
  ['2036-01-05', false],
  ['2036-01-06', true],
  ['2036-12-31', true],
  ['2206-06-30', true],
])('on a day of 2026, whether the expiry date %s is too far: %s', (expiresOn, isFar) => {
  expect(isFarExpiry(expiresOn, '2026-01-05')).toBe(isFar)
})

describe('an adjustment', () => {
  const input = {
    variantId: 'variant',
    quantityChange: 5,
    transactionType: 'purchase',
    notes: null,
    lotNumber: null,
    expiryDate: null,
  }
  test('an adjustment is cleaned: blank fields are empty, a lot is in upper case, a month is its last day', () => {
    expect(
      adjustmentSchema.parse({
        ...input,
        notes: ' Delivered\r\nby hand ',
        lotNumber: ' ab-1 ',
        expiryDate: ' 2027-06 ',
      }),
    ).toEqual({ ...input, notes: 'Delivered\nby hand', lotNumber: 'AB-1', expiryDate: '2027-06-30' })
    expect(adjustmentSchema.parse({ ...input, notes: ' ', lotNumber: ' ', expiryDate: ' ' })).toEqual(input)
    const { variantId, quantityChange, transactionType } = input
    expect(adjustmentSchema.parse({ variantId, quantityChange, transactionType })).toEqual(input)
  })

  const largest = 'The largest change is 1,000,000 units.'
  const date = 'Enter a valid date, like 2027-06-30, or a month, like 2027-06.'
  test.each<[Record<string, unknown>, string, string | null]>([
    [{ quantityChange: 1_000_000 }, 'quantityChange', null],
    [{ quantityChange: -1_000_000 }, 'quantityChange', null],
    [{ quantityChange: 1_000_001 }, 'quantityChange', largest],
    [{ quantityChange: -1_000_001 }, 'quantityChange', largest],
    [{ quantityChange: 0 }, 'quantityChange', 'Enter a number other than 0.'],
    [{ quantityChange: 1.5 }, 'quantityChange', 'Enter a whole number.'],
    [{ quantityChange: 'five' }, 'quantityChange', 'Enter a whole number.'],
    [{ variantId: '' }, 'variantId', 'Please select a variant.'],
    [{ variantId: null }, 'variantId', 'Please select a variant.'],
    [
      { transactionType: 'sale' },
      'transactionType',
      'Choose one of purchase, adjustment, return, damaged, expired.',
    ],
    [{ notes: 'x'.repeat(1000) }, 'notes', null],
    [{ notes: 'x'.repeat(1001) }, 'notes', 'Enter at most 1000 characters.'],
    [{ notes: 5 }, 'notes', 'Enter text.'],
    [{ lotNumber: 'x'.repeat(40) }, 'lotNumber', null],
    [{ lotNumber: 'x'.repeat(41) }, 'lotNumber', 'Enter at most 40 characters.'],
    [{ lotNumber: 5 }, 'lotNumber', 'Enter text.'],
    [{ lotNumber: 'A', expiryDate: 'soon' }, 'expiryDate', date],
    [{ lotNumber: 'A', expiryDate: 5 }, 'expiryDate', date],
    [{ expiryDate: '2027-06-30' }, 'lotNumber', 'Enter the number of the lot that has this expiry date.'],
  ])('an adjustment of %j: %s says %s', (changes, field, message) => {
    const { error } = adjustmentSchema.safeParse({ ...input, ...changes })
    expect(error?.issues.map(({ path, message: text }) => [path[0], text]) ?? null).toEqual(
      message === null ? null : [[field, message]],
    )
  })

  test.each([
    ['Damaged', true, 'Damaged'],
    [' Wet\r\nbox ', true, 'Wet\nbox'],
    ['x'.repeat(500), true, 'x'.repeat(500)],
    ['x'.repeat(501), false, 'Enter at most 500 characters.'],
    [' ', false, 'Enter the reason.'],
    [null, false, 'Enter the reason.'],
  ])('a lot’s reason %j', (typed, isValid, expected) => {
    const { success, data, error } = lotReasonField.safeParse(typed)
    expect(success).toBe(isValid)
    expect(isValid ? data : error?.issues[0]?.message).toBe(expected)
  })
})
