import { findBreaks } from '#domain/ledger/find-breaks.ts'
import type { LedgerChange } from '#domain/ledger/ledger.ts'
import { expect, test } from 'vitest'

const row = (id: string, before: number, change: number): LedgerChange => ({
  id,
  variantId: 'variant',
  type: 'adjustment',
  change,
  before,
  notes: null,
  at: 0,
  sequence: 1,
})

test('a ledger whose rows start where the previous one ended has no breaks', () => {
  expect(findBreaks([row('a', 0, 10), row('b', 10, -3), row('c', 7, 1)])).toEqual([])
  expect(findBreaks([])).toEqual([])
})

test('a first row that does not start at 0 is a break', () => {
  expect(findBreaks([row('a', 4, 1)])).toEqual([{ id: 'a', variantId: 'variant', endedAt: 0, before: 4 }])
})

test('a row that starts anywhere else is a break, and the next row continues from it', () => {
  expect(findBreaks([row('a', 0, 10), row('b', 8, -3), row('c', 5, 1)])).toEqual([
    { id: 'b', variantId: 'variant', endedAt: 10, before: 8 },
  ])
})
