import { listCodes } from '#domain/screening/recall-codes.ts'
import {
  listRecordedCodes,
  listUnnamedCodes,
  recordBounds,
  recordRecallSchema,
  toRecordedRecall,
} from '#domain/screening/recorded-recall.ts'
import { expect, test } from 'vitest'

const form = {
  requestKey: 'b3b8a3a1-7c1e-4a53-9d57-0f6f8e2f6a10',
  firm: ' Example Labs ',
  reference: 'Letter of July 16',
  initiated: '2026-07-16',
  recallClass: 'II',
  reason: 'Glass in vials',
  products: '0378-1089-05',
  scope: 'listed',
  lots: 'A100',
}
const parse = (changes: Record<string, string> = {}) => recordRecallSchema.safeParse({ ...form, ...changes })
const messagesOf = (changes: Record<string, string>) =>
  parse(changes).error?.issues.map(({ message, path }) => `${path.join('.')}: ${message}`)

test('a form names its lots on lines of their own or between commas, each once', () => {
  expect(parse({ lots: 'A100, a-100; B200\nC300\n' }).data?.lots).toEqual(['A100', 'B200', 'C300'])
  expect(parse().data).toMatchObject({ firm: 'Example Labs', recallClass: 'II', printedLots: [] })
  expect(parse({ printedLots: 'B12-B15 23-1047' }).data?.printedLots).toEqual(['B12-B15', '23-1047'])
})

test('a form lists lots, or says that all are recalled', () => {
  expect(messagesOf({ lots: '' })).toEqual(['lots: Enter at least one lot number.'])
  expect(messagesOf({ scope: 'all' })).toEqual(['lots: Remove the lot numbers, or choose “Only these lots”.'])
  expect(parse({ scope: 'all', lots: '' }).success).toBe(true)
  expect(messagesOf({ scope: '' })).toEqual(['scope: Choose whether all lots are recalled.'])
})

test('a range is not a lot, because it would match none', () => {
  expect(messagesOf({ lots: 'A100\nB200 through B220' })).toEqual([
    expect.stringMatching(/^lots: “B200 through B220” can’t be read as one lot/),
  ])
  expect(parse({ lots: 'A'.repeat(recordBounds.lot - 1) + '1' }).success).toBe(true)
  expect(messagesOf({ lots: 'A'.repeat(recordBounds.lot) + '1' })).toHaveLength(1)
})

test('a form names packages, or carries those of the recall that it replaces', () => {
  expect(messagesOf({ products: ' ' })).toEqual(['products: Enter the recalled packages.'])
  expect(parse({ products: '', carried: 'v1' }).success).toBe(true)
})

test.each([
  ['firm', ' ', 'Enter the company that recalls the product.'],
  ['firm', 'x'.repeat(301), 'Enter at most 300 characters.'],
  ['reference', '', 'Enter who reported the recall, and how.'],
  ['reason', '', 'Enter the reason for the recall.'],
  ['reason', 'x'.repeat(2001), 'Enter at most 2,000 characters.'],
  ['products', 'x'.repeat(2001), 'Enter at most 2,000 characters.'],
  ['initiated', '2026-02-30', 'Enter the day of the recall, like 2026-07-16.'],
  ['recallClass', 'IV', 'Choose a class.'],
  ['requestKey', 'again', 'Reload the page and try again.'],
])('a form with the %s "%.20s" is rejected', (field, value, message) => {
  expect(messagesOf({ [field]: value })).toEqual([`${field}: ${message}`])
})

const shopPackage = (id: string, changes = {}) => ({
  id,
  ndc: null as string | null,
  din: null as string | null,
  upc: null as string | null,
  deletedAt: null as Date | null,
  ...changes,
})

test('a recall names its packages by each of their codes', () => {
  const packages = [
    shopPackage('v1', { ndc: '0378-1089-05', upc: '300450449108' }),
    shopPackage('v2', { din: '2237998' }),
    shopPackage('v3', { ndc: '0378-2000-05' }),
  ]
  expect(listRecordedCodes(['v1', 'v2'], packages)).toEqual([
    'variant:v1',
    'upc:300450449108',
    '00378108905',
    'variant:v2',
    'din:02237998',
  ])
  expect(listRecordedCodes([], packages)).toEqual([])
})

test('a recall does not name a code that it shares with a package that was not chosen', () => {
  const chosen = shopPackage('v1', { ndc: '0378-1089-05', upc: '300450449108' })
  const twin = shopPackage('v2', { ndc: '00378108905', upc: '300450449108' })
  expect(listRecordedCodes(['v1'], [chosen, twin])).toEqual(['variant:v1'])
  // A deleted variant was the same package before.
  expect(listRecordedCodes(['v1'], [chosen, { ...twin, deletedAt: new Date() }])).toEqual([
    'variant:v1',
    'upc:300450449108',
    '00378108905',
  ])
  expect(listRecordedCodes(['v1', 'v2'], [chosen, twin])).toEqual([
    'variant:v1',
    'upc:300450449108',
    '00378108905',
    'variant:v2',
  ])
})

test('a recall does not name an NDC of ten bare digits, which several packages may have', () => {
  expect(listRecordedCodes(['v1'], [shopPackage('v1', { ndc: '0378108905' })])).toEqual(['variant:v1'])
  const others = [shopPackage('v1', { ndc: '0378-1089-05' }), shopPackage('v2', { ndc: '0378108905' })]
  expect(listRecordedCodes(['v1'], others)).toEqual(['variant:v1'])
})

test('staff read which codes on its packages a recall does not name', () => {
  const chosen = shopPackage('v1', { ndc: '0378-1089-05', din: '2237998', upc: '300450449108' })
  const twin = shopPackage('v2', { ndc: '0378-1089-05', upc: '300450449108' })
  const codes = listRecordedCodes(['v1'], [chosen, twin])
  expect(listUnnamedCodes(codes, [chosen, twin])).toEqual(['NDC 0378-1089-05', 'UPC 300450449108'])
  expect(listUnnamedCodes(listRecordedCodes(['v1'], [chosen]), [chosen])).toEqual([])
  expect(listUnnamedCodes(['variant:v3'], [shopPackage('v3', { ndc: '0378108905' })])).toEqual([
    'NDC 0378108905',
  ])
  // Every code that the screening looks a package up by is named, or is one of these.
  expect(listCodes({ variantId: 'v1', ...chosen })).toEqual(
    expect.arrayContaining(['variant:v1', 'din:02237998']),
  )
})

test('a recorded recall is ongoing from its day, for all lots or those listed', () => {
  const parsed = recordRecallSchema.parse(form)
  const facts = { id: 'SHOP-A', product: '0378-1089-05', codes: ['00378108905'] }
  expect(toRecordedRecall({ ...parsed, variantIds: [] }, facts)).toEqual({
    ...facts,
    list: 'recorded-recalls',
    recallClass: 'II',
    status: 'Ongoing',
    firm: 'Example Labs',
    reason: 'Glass in vials',
    initiated: '2026-07-16',
    reported: '2026-07-16',
    allLots: false,
    lotNote: null,
    lots: ['A100'],
  })
  const unknown = { ...parsed, scope: 'all' as const, lots: [], recallClass: '' as const, variantIds: [] }
  expect(toRecordedRecall(unknown, facts)).toMatchObject({
    allLots: true,
    lots: [],
    recallClass: 'not known',
  })
})
