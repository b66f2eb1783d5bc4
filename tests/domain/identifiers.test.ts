import {
  findIdentifierAmongWords,
  listIdentifiers,
  parseIdentifier,
  hasValidCheckDigit,
} from '#domain/catalog/identifiers.ts'
import { describe, expect, test } from 'vitest'

/**
 * A small stand-in for variant_identifiers: the identifiers that the text matches among the given
 * variants.
 */
function found(
  text: string,
  variants: Partial<Record<'ndc' | 'din' | 'upc', string>>[],
  only?: 'ndc' | 'din' | 'upc',
) {
  const rows = variants.flatMap((variant) =>
    listIdentifiers({ ndc: null, din: null, upc: null, ...variant }).map((identifier) => ({
      ...identifier,
      variant,
    })),
  )
  for (const step of parseIdentifier(text, only)?.steps ?? []) {
    const hits = rows.filter((row) =>
      step.some(
        (look) =>
          look.kind === row.kind &&
          (look.prefix ? row.value.startsWith(look.value) : row.value === look.value),
      ),
    )
    if (hits.length > 0)
      return [...new Set(hits.map(({ variant }) => variant.ndc ?? variant.din ?? variant.upc))]
  }
  return []
}

describe('an NDC is found in every written form', () => {
  test.each([
    ['0228-2899-96', '0228-2899-96'],
    ['NDC 0228-2899-96', '0228-2899-96'],
    ['ndc:0228-2899-96', '0228-2899-96'],
    ['NDC#0228-2899-96', '0228-2899-96'],
    ['NDC-11 00228289996', '0228-2899-96'],
    ['  0228‑2899–96 ', '0228-2899-96'],
    ['0228 2899 96', '0228-2899-96'],
    ['0228*2899*96', '0228-2899-96'],
    ['0228.2899.96', '0228-2899-96'],
    ['０２２８-２８９９-９６', '0228-2899-96'],
    ['0228289996', '0228-2899-96'],
    ['00228289996', '0228-2899-96'],
    ['00228-2899-96', '0228-2899-96'],
    ['000228289996', '0228-2899-96'],
    ['000228-2899-96', '0228-2899-96'],
    ['0228-2899', '0228-2899-96'],
    ['00228-2899', '0228-2899-96'],
    ['02282899', '0228-2899-96'],
    ['NDC 12213-498-15', '12213-498-15'],
    ['1221349815', '12213-498-15'],
    ['12213049815', '12213-498-15'],
    ['12213-0498-15', '12213-498-15'],
    ['12213-498', '12213-498-15'],
    ['12213498', '12213-498-15'],
    ['6050525543', '60505-2554-3'],
    ['60505255403', '60505-2554-3'],
    ['60505-2554-03', '60505-2554-3'],
    ['60505-2554', '60505-2554-3'],
    ['605052554', '60505-2554-3'],
    ['303788107931', '0378-8107-93'],
    ['3 03788 10793 1', '0378-8107-93'],
    ['0303788107931', '0378-8107-93'],
    ['00303788107931', '0378-8107-93'],
    ['(01)00303788107931(17)270131(10)AB12', '0378-8107-93'],
    ['010030378810793117270131', '0378-8107-93'],
    ['a1234-567-89', 'A1234-567-89'],
    ['A123456789', 'A1234-567-89'],
    ['a1234056789', 'A1234-567-89'],
  ])('%s finds %s', (text, ndc) => {
    const others = ['0228-2899-11', '12213-049-81', '60505-2554-4', '0378-8107-05'].filter(
      (other) => !other.startsWith(ndc),
    )
    const result = found(text, [{ ndc }, ...others.map((other) => ({ ndc: other }))])
    expect(result).toContain(ndc)
    if (!['0228-2899', '00228-2899', '02282899', '60505-2554', '605052554'].includes(text))
      expect(result).toEqual([ndc])
  })

  test('a case’s indicator digit is not part of the item', () => {
    const withoutCheck = '1030378810793'
    const check = [...Array(10).keys()].find((digit) => hasValidCheckDigit(withoutCheck + digit))
    expect(found(`${withoutCheck}${check}`, [{ ndc: '0378-8107-93' }])).toEqual(['0378-8107-93'])
    expect(found(`${withoutCheck}${check}`, [{ upc: '303788107931' }])).toEqual(['303788107931'])
  })

  test('a package stored as eleven bare digits is found in other forms', () => {
    const stored = [{ ndc: '00228289996' }]
    for (const text of ['0228-2899-96', '0228289996', '00228289996', '0228-2899'])
      expect(found(text, stored), text).toEqual(['00228289996'])
    // Ten bare digits fit three formats, so they stand for no single package.
    expect(found('0228-2899-96', [{ ndc: '0228289996' }])).toEqual([])
  })

  test('ten digits that fit several packages match all', () => {
    const both = [{ ndc: '13668-016-61' }, { ndc: '13668-166-01' }, { ndc: '13668-166-02' }]
    expect(found('1366801661', both)).toEqual(['13668-016-61', '13668-166-01'])
  })

  test('two packages may share eleven digits; the dashes tell them apart', () => {
    const both = [{ ndc: '49799-0001-1' }, { ndc: '49799-001-01' }]
    expect(found('49799000101', both)).toHaveLength(2)
    expect(found('49799-001-01', both)).toEqual(['49799-001-01'])
    expect(found('49799-0001-01', both)).toHaveLength(2)
  })

  test('a published UPC takes precedence over the NDC in its digits', () => {
    expect(found('303788107931', [{ ndc: '0378-8107-93' }, { upc: '303788107931' }])).toEqual([
      '303788107931',
    ])
  })
})

test.each([
  '804789',
  '0804789',
  '00804789',
  'DIN 00804789',
  'din: 804789',
  '0080 4789',
  '0080-4789',
  'DIN#00804789',
])('the DIN %s is found', (text) =>
  expect(found(text, [{ din: '00804789' }, { din: '02438070' }])).toEqual(['00804789']),
)

test.each([
  '369452428979',
  '3 69452 42897 9',
  '0369452428979',
  '00369452428979',
  'UPC 3-69452-42897-9',
  '369452 42897 9',
])('the UPC %s is found', (text) => expect(found(text, [{ upc: '369452428979' }])).toEqual(['369452428979']))

test.each(['301730909137', '331722891188', '0359922641602', '00323155887038', '3 01730 90913 7'])(
  '%s has a wrong check digit and matches nothing',
  (text) => {
    expect(parseIdentifier(text)?.invalid).toBe('check-digit')
    expect(found(text, [{ ndc: '0173-0909-13' }, { upc: '301730909138' }])).toEqual([])
  },
)

test.each([
  '',
  'aspirin',
  '500',
  '500 mg',
  'tylenol 3',
  'penicillin',
  'd12275',
  'vitamin b12',
  '5-fu',
  '-',
  '1/2',
  'x'.repeat(1000),
])('"%s" is not an identifier', (text) => expect(parseIdentifier(text)).toBeNull())

test('a field parses only its own kind', () => {
  const variants = [{ ndc: '0236-7998-01' }, { din: '02367998' }]
  expect(found('02367998', variants, 'din')).toEqual(['02367998'])
  expect(found('02367998', variants, 'ndc')).toEqual(['0236-7998-01'])
  expect(found('0228-2899-96', [{ ndc: '0228-2899-96' }], 'upc')).toEqual([])
  expect(found('809', [{ din: '00000809' }], 'din')).toEqual(['00000809'])
})

test('the check digit of UPC-A, EAN-13 and GTIN-14 is the same rule', () => {
  expect(
    ['303788107931', '0303788107931', '00303788107931', '4006381333931'].map(hasValidCheckDigit),
  ).toEqual(Array(4).fill(true))
  expect(['303788107930', '30378810793', '30378810793x', ''].map(hasValidCheckDigit)).toEqual(
    Array(4).fill(false),
  )
})

test('every form of a UPC is stored as its twelve digits, a DIN as eight', () => {
  expect(listIdentifiers({ ndc: '0378-1089-05', din: '804789', upc: '0359922641601' })).toEqual([
    { kind: 'ndc', value: '0378-1089-05' },
    { kind: 'ndc-11', value: '00378108905' },
    { kind: 'din', value: '00804789' },
    { kind: 'upc', value: '359922641601' },
  ])
  expect(listIdentifiers({ ndc: null, din: null, upc: null })).toEqual([])
})

test('an identifier among words is not read as a strength', () => {
  expect(findIdentifierAmongWords('alprazolam 0228–2899–96 tablet')).toEqual({
    identifier: '0228-2899-96',
    rest: 'alprazolam   tablet',
  })
  expect(findIdentifierAmongWords('DIN: 809 cream')?.identifier).toBe('DIN: 809')
  for (const text of ['nystatin 10000000 units', 'percocet 5-325', 'one 10000000000 cfu', 'dinitrate 40', ''])
    expect(findIdentifierAmongWords(text)).toBeNull()
})
