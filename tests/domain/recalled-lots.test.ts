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
