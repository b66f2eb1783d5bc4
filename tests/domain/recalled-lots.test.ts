import { isOneLot, mayBeRange, readLots } from '#domain/screening/recalled-lots.ts'
import { expect, test } from 'vitest'

test.each([
  ['Lot #: DEC1234, A5567', ['A5567', 'DEC1234']],
  ['Lots: MAYB1234; 67890 Exp 12/2024', ['67890', 'MAYB1234']],
  ['Batch 20MAY21, X9001, Exp. 22 AUG 2023', ['X9001', '20MAY21']],
  // A date alone is no lot: someone looks at the pack.
  ['Lot numbers not available. Exp DEC2023', []],
  ['Lot unknown, Exp 22JUL23', []],
  ['Lot 19173, Exp DEC2023', ['19173']],
  ['Lot 19173, Expiration Date: DEC2023', ['19173']],
  ['Lot 19173, Exp. 22AUG23', ['19173']],
  ['Lot 19173, Exp Mar-2024, Aug 2024', ['19173']],
  ['Lot L 19173, AB 2024X', ['19173', '2024X', 'L19173', 'AB2024X']],
  ['Lot # WXWZ, 69403A', ['WXWZ', '69403A']],
  // Letters alone may be a word of the text.
  ['Lot WXWZ', []],
  ['Lots 12, 123, A1, All batches', ['123']],
  ['Lots: 69403A, NDC 0378-1089-05, NDC 00378-1089', ['69403A']],
  ['Lots: 69403A, NDC 0378-108-5', ['69403A']],
  [`Lots ${'1'.repeat(60)}, ${'2'.repeat(61)}`, ['1'.repeat(60)]],
  // Without the word, a code may be anything.
  ['Catalog 69403A', []],
  // Ranges and prefixes name lots that the text does not list.
  ['Lots 100 through 120', []],
  ['Lots beginning with 7', []],
  ['All lots with the prefix AB12', []],
  ['Lots 12XX', []],
  ['Lots 12*', []],
])('the lots of "%s"', (text, lots) => {
  expect(readLots(text).lots).toEqual(lots)
})

test('a lot that staff typed is one lot as printed, not a range, a list or a description', () => {
  for (const lot of ['A100', 'bad-1', 'MT7731', '7', 'WXWZ', 'AB.12', 'C/19', 'LOTUS1', '69403A', '23-1047'])
    expect(isOneLot(lot), lot).toBe(true)
  const others = [
    'A100–A120',
    'A100 A101',
    'A100 through A120',
    'A100toA120',
    'Lot A100',
    'Lot-A100',
    'LOT100',
    'Batch',
    'all',
    'beginning with 7',
    '12XXX',
    '7*',
    'A100+',
    '>A100',
    'A100…',
    'A100-',
    'A100&A101',
    '#A100',
    'LotA100',
    'Lot_A100',
    'Unknown',
    'UNKNOWN',
    'N/A',
    'pending',
  ]
  for (const text of others) expect(isOneLot(text), text).toBe(false)
})

test('numbers on both sides of a dash or slash are a lot or a range', () => {
  for (const lot of ['23-1047', '100/105', 'A23-1047', '23-10-47', 'B12-B3', 'L23-L05', 'A100/a120'])
    expect([isOneLot(lot), mayBeRange(lot)], lot).toEqual([true, true])
  for (const lot of ['bad-1', 'MT7731', 'C/19', 'A-1-B']) expect(mayBeRange(lot), lot).toBe(false)
})

test('a text that lists no lots becomes a note', () => {
  expect(readLots('Lots 100 through 120')).toEqual({
    lots: [],
    isForAllLots: false,
    note: 'Lots 100 through 120',
  })
  expect(readLots('Lot 69403A')).toEqual({ lots: ['69403A'], isForAllLots: false, note: '' })
})

test('a text with too many lots becomes a note too', () => {
  const textOf = (count: number) =>
    `Lots ${Array.from({ length: count }, (_, i) => `A${10_000 + i}`).join(', ')}`
  expect(readLots(textOf(5000)).lots).toHaveLength(5000)
  expect(readLots(textOf(5001))).toMatchObject({ lots: [], note: textOf(5001) })
})

test.each([
  ['All lots', true],
  ['all lots within expiry', true],
  ['All unexpired lots', true],
  ['ALL BATCHES', true],
  ['All products', true],
  ['All units in distribution', true],
  ['All lots beginning with 7', false],
  ['all lot numbers starting with A', false],
  ['All lots that begin with 7', false],
  ['all lots between A1 and A9', false],
  ['All lots before 2024', false],
  ['Small lots', false],
  ['Lot 69403A', false],
])('"%s" is for all lots: %s', (text, isForAllLots) => {
  expect(readLots(text).isForAllLots).toBe(isForAllLots)
})
