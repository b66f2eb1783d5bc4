import {
  joinIngredients,
  namesToLookUp,
  resolveIngredients,
  toIngredientIndex,
  toNameKey,
  toShownMoiety,
  type NameRow,
} from '#domain/screening/product-ingredients.ts'
import { describe, expect, test } from 'vitest'

const row = (kind: NameRow['kind'], key: string, ingredient: string | null, products = 1): NameRow => ({
  kind,
  key,
  ingredient,
  products,
})
const brands = new Map([
  ['ADVIL', ['IBUPROFEN']],
  ['ADVIL PM', ['DIPHENHYDRAMINE', 'IBUPROFEN']],
])
const index = toIngredientIndex(
  [
    row('name', 'LISINOPRIL', 'LISINOPRIL'),
    row('name', 'METOPROLOL SUCCINATE', 'METOPROLOL'),
    row('ingredient', 'METOPROLOL', 'METOPROLOL'),
    row('moiety', 'amlodipine', 'AMLODIPINE'),
    row('name', 'BENAZEPRIL', 'BENAZEPRIL'),
    row('shop', 'HOUSE BLEND', null),
    row('shop', 'HOUSE ASPIRIN', 'ASPIRIN'),
    row('shop', 'LISINOPRIL', 'LISINOPRIL (SHOP)'),
  ],
  brands,
)

test('names are looked up in upper case with single spaces', () => {
  expect(toNameKey('  Metoprolol \n succinate ')).toBe('METOPROLOL SUCCINATE')
  expect(toShownMoiety('METOPROLOL SUCCINATE')).toBe('metoprolol')
  expect(joinIngredients(['B', 'A', 'B'])).toBe('A + B')
  expect(joinIngredients([])).toBe('')
})

describe('a product of a directory', () => {
  const resolve = (ingredients: string) => resolveIngredients({ name: 'Advil', ingredients }, index)
  test.each([
    ['Benazepril', ['BENAZEPRIL'], []],
    ['Metoprolol succinate; Benazepril', ['BENAZEPRIL', 'METOPROLOL'], []],
    ['Amlodipine', ['AMLODIPINE'], []],
    ['AMLODIPINE BESYLATE', ['AMLODIPINE'], []],
    ['Metoprolol; METOPROLOL SUCCINATE', ['METOPROLOL'], []],
    // What catalog managers decided goes before the lists.
    ['Lisinopril', ['LISINOPRIL (SHOP)'], []],
    ['House blend; House aspirin', ['ASPIRIN'], []],
    ['Unobtainium; Benazepril; Adamantium; Unobtainium', ['BENAZEPRIL'], ['ADAMANTIUM', 'UNOBTAINIUM']],
    // A brand is no substance.
    ['Advil', [], ['ADVIL']],
    ['; ', [], []],
  ])('"%s"', (ingredients, found, unknownNames) => {
    expect(resolve(ingredients)).toEqual({ ingredients: found, unknownNames })
  })
})

describe('a product of an admin', () => {
  test.each([
    ['Advil', ['IBUPROFEN'], []],
    ['Advil PM', ['DIPHENHYDRAMINE', 'IBUPROFEN'], []],
    ['Advil 200 mg', ['IBUPROFEN'], []],
    ['Advil 200mg tablets', ['IBUPROFEN'], []],
    ['Advil tablets', ['IBUPROFEN'], []],
    // A number can be part of a name that means more.
    ['Advil 3', [], ['ADVIL 3']],
    ['Advil 3 tablets', [], ['ADVIL 3 TABLETS']],
    ['Advil PM with benazepril', ['BENAZEPRIL', 'DIPHENHYDRAMINE', 'IBUPROFEN'], []],
    ['Advil 200 mg tablets', ['IBUPROFEN'], []],
    ['Advil PM caplets', ['DIPHENHYDRAMINE', 'IBUPROFEN'], []],
    ['Amlodipine 5 mg and benazepril 10 mg', ['AMLODIPINE', 'BENAZEPRIL'], []],
    ['Unobtainium 5 mg', [], ['UNOBTAINIUM 5 MG']],
    ['200 mg tablets', [], ['200 MG TABLETS']],
    ['House blend', [], []],
    ['Amlodipine and benazepril', ['AMLODIPINE', 'BENAZEPRIL'], []],
    ['Amlodipine AND benazepril', ['AMLODIPINE', 'BENAZEPRIL'], []],
    ['Amlodipine with benazepril', ['AMLODIPINE', 'BENAZEPRIL'], []],
    ['Amlodipine/benazepril', ['AMLODIPINE', 'BENAZEPRIL'], []],
    ['Amlodipine, benazepril', ['AMLODIPINE', 'BENAZEPRIL'], []],
    ['Amlodipine & benazepril', ['AMLODIPINE', 'BENAZEPRIL'], []],
    ['Amlodipine + sand; benazepril', ['AMLODIPINE', 'BENAZEPRIL'], ['SAND']],
    ['Amlodipine, ,', ['AMLODIPINE'], []],
    // "and" within a word splits nothing.
    ['Sandamlodipine', [], ['SANDAMLODIPINE']],
    // Without a known part, the whole name is unknown.
    ['Herbs and spices', [], ['HERBS AND SPICES']],
  ])('"%s"', (name, found, unknownNames) => {
    expect(resolveIngredients({ name, ingredients: null }, index)).toEqual({
      ingredients: found,
      unknownNames,
    })
  })

  test('a product whose whole name is known is not split', () => {
    const known = toIngredientIndex([
      row('name', 'SALT AND PEPPER', 'SALTPEPPER'),
      row('name', 'SALT', 'SALT'),
    ])
    expect(resolveIngredients({ name: 'Salt and pepper', ingredients: null }, known)).toEqual({
      ingredients: ['SALTPEPPER'],
      unknownNames: [],
    })
  })

  test('a product is looked up by its whole name and its parts', () => {
    expect(namesToLookUp({ name: 'Salt and  pepper', ingredients: null })).toEqual([
      'SALT AND PEPPER',
      'SALT',
      'PEPPER',
    ])
    expect(namesToLookUp({ name: 'Salt', ingredients: 'Sodium; Chloride; ' })).toEqual(['SODIUM', 'CHLORIDE'])
  })
})

describe('the rows of a name', () => {
  test('a directory’s own name wins over an ingredient of the same spelling, in any order', () => {
    const rows = [row('name', 'X', 'NAMED'), row('ingredient', 'X', 'SPELLED')]
    expect(toIngredientIndex(rows).names.get('X')).toBe('NAMED')
    expect(toIngredientIndex(rows.toReversed()).names.get('X')).toBe('NAMED')
  })

  test.each([
    [
      'that most products have',
      [row('moiety', 'zinc', 'ZINC SULFATE', 2), row('moiety', 'zinc', 'ZINC', 1)],
      'ZINC SULFATE',
    ],
    [
      'that most products have over several rows',
      [
        row('moiety', 'zinc', 'ZINC', 3),
        row('moiety', 'zinc', 'ZINC SULFATE', 2),
        row('moiety', 'zinc', 'ZINC SULFATE', 2),
      ],
      'ZINC SULFATE',
    ],
    ['that is the shortest', [row('moiety', 'zinc', 'ZINC SULFATE'), row('moiety', 'zinc', 'ZINC')], 'ZINC'],
    ['that comes first', [row('moiety', 'zinc', 'ZINB'), row('moiety', 'zinc', 'ZINA')], 'ZINA'],
    [
      'that comes first, in the other order',
      [row('moiety', 'zinc', 'ZINA'), row('moiety', 'zinc', 'ZINB')],
      'ZINA',
    ],
  ])('a moiety is the ingredient %s', (_, rows, ingredient) => {
    expect(toIngredientIndex(rows).moieties).toEqual(new Map([['zinc', ingredient]]))
  })

  test('each kind has its own keys, and only a decision can be that there is none', () => {
    const none = (['name', 'ingredient', 'moiety', 'shop'] as const).map((kind) => row(kind, kind, null))
    expect(toIngredientIndex(none)).toEqual({
      shop: new Map([['shop', null]]),
      names: new Map(),
      moieties: new Map(),
      brands: new Map(),
    })
    expect(toIngredientIndex([row('ingredient', 'I', 'Y')], new Map([['B', ['X']]]))).toEqual({
      shop: new Map(),
      names: new Map([['I', 'Y']]),
      moieties: new Map(),
      brands: new Map([['B', ['X']]]),
    })
  })
})
