import {
  editsUpToTwo,
  hasDoubledSyllable,
  hasSwappedSyllables,
  withinOneEdit,
} from '#domain/search/edit-distance.ts'
import { rankDistantSpellings } from '#domain/search/spellings.ts'
import { maxQueryLength, maxQueryWords, parseSearchQuery } from '#domain/search/search-query.ts'
import { convertedStrengths, nameKey, splitWords } from '#domain/search/search-words.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const texts = (text: string): string[] => splitWords(text).map((word) => word.text)

test.each([
  ['Metformin 500 mg Tablet', ['metformin', '500mg', 'tablet']],
  ['tablet 250mg ciprofloxacin', ['tablet', '250mg', 'ciprofloxacin']],
  ['1,000 [iU]', ['1000unit']],
  ['0,5 %', ['0.5pct']],
  ['.5 mg', ['0.5mg']],
  ['0.50 µg', ['0.5mcg']],
  ['5 μg', ['5mcg']],
  ['10 mg/5 mL', ['10mg', '5ml']],
  ['2 mg/mL', ['2mg', 'ml']],
  ['300 mg; 30 mg', ['300mg', '30mg']],
  ['3TC', ['3tc']],
  ['vitamin B12', ['vitamin', 'b12']],
  ["Comprimés d'Acétaminophène", ['comprimes', 'd', 'acetaminophene']],
  ['Œdème™ ®', ['oedeme']],
  ['𝗕𝗼𝗹𝗱', ['bold']],
  ['  &%$#  ', []],
])('"%s" is split into %j', (text, words) => expect(texts(text)).toEqual(words))

test('a strength is the same however it is written', () => {
  for (const written of ['500mg', '500 mg', '500-mg', '500  MG', '500 milligrams', '500.0 mg'])
    expect(texts(written)).toEqual(['500mg'])
})

test('a number and the unit of another are not joined', () => {
  expect(texts('vitamin b 12, mg')).toEqual(['vitamin', 'b', '12', 'mg'])
  expect(texts('5/ml')).toEqual(['5', 'ml'])
})

test('a strength is converted to the neighboring units', () => {
  expect(convertedStrengths('500mg')).toEqual(['0.5g'])
  expect(convertedStrengths('0.05mg')).toEqual(['50mcg'])
  expect(convertedStrengths('50mcg')).toEqual(['0.05mg'])
  expect(convertedStrengths('2g')).toEqual(['2000mg'])
  expect(convertedStrengths('5ml')).toEqual([])
})

test('a query is parsed into name, strength and form', () => {
  expect(parseSearchQuery('Tablets 500mg metformin')).toMatchObject({
    key: 'tablets_500_mg_metformin',
    name: 'metformin',
    pairs: [['500mg|tablet']],
  })
  expect(parseSearchQuery('tylenol')).toMatchObject({ key: 'tylenol', name: 'tylenol', pairs: [] })
  expect(parseSearchQuery('acetaminophen and codeine')?.words.map((word) => word.text)).toEqual([
    'acetaminophen',
    'codeine',
  ])
  expect(parseSearchQuery('vitamin a')?.words).toHaveLength(2)
  expect(parseSearchQuery('the')?.words).toHaveLength(1)
  expect(parseSearchQuery(' ?! ')).toBeNull()
})

test('words of any query are letters, digits and points, few and short', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const query = parseSearchQuery(text)
      expect(query?.words.length ?? 0).toBeLessThanOrEqual(maxQueryWords)
      for (const word of query?.words ?? []) {
        expect(word.text).toMatch(/^[\p{L}\p{N}.]+$/u)
        expect(word.text.length).toBeLessThanOrEqual(50)
      }
      expect(nameKey(text)).toMatch(/^[\p{L}\p{N}._]*$/u)
    }),
  )
  expect(parseSearchQuery('a '.repeat(100_000))?.key.length).toBeLessThanOrEqual(maxQueryLength)
})

test('one edit inserts, deletes or replaces a letter, or swaps two neighbors', () => {
  for (const typed of ['peditace', 'neditrace', 'pedirtace', 'peditrrace', 'peditrace', 'peditrac'])
    expect(withinOneEdit(typed, 'peditrace')).toBe(true)
  for (const typed of ['peditac', 'pedatrase', 'epdirtace', 'ecartidep', ''])
    expect(withinOneEdit(typed, 'peditrace')).toBe(false)
})

test('one random edit is always within one edit, either way round', () => {
  const word = fc.stringMatching(/^[a-z]{4,15}$/)
  fc.assert(
    fc.property(
      word,
      fc.nat(),
      fc.constantFrom(...'abcxyz'),
      fc.constantFrom(0, 1, 2, 3),
      (right, at, letter, kind) => {
        const i = at % (right.length - 1)
        const edits = [
          right.slice(0, i) + right.slice(i + 1),
          right.slice(0, i) + letter + right.slice(i),
          right.slice(0, i) + letter + right.slice(i + 1),
          right.slice(0, i) + right[i + 1] + right[i] + right.slice(i + 2),
        ]
        const typed = edits[kind] ?? ''
        expect(withinOneEdit(typed, right)).toBe(true)
        expect(withinOneEdit(right, typed)).toBe(true)
      },
    ),
  )
})

test('two edits are counted, more are not', () => {
  expect(editsUpToTwo('ropirinole', 'ropinirole')).toBe(2)
  expect(editsUpToTwo('sertralnie', 'sertraline')).toBe(1)
  expect(editsUpToTwo('sertraline', 'sertraline')).toBe(0)
  expect(editsUpToTwo('sertraline', 'fluoxetine')).toBe(3)
  const word = fc.stringMatching(/^[a-d]{0,8}$/)
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editsUpToTwo(a, b) <= 1).toBe(withinOneEdit(a, b))
      expect(editsUpToTwo(a, b)).toBe(editsUpToTwo(b, a))
    }),
  )
})

test('swapped and doubled syllables are recognized, either way round', () => {
  for (const [typed, known] of [
    ['metoloprol', 'metoprolol'],
    ['mocrolyn', 'cromolyn'],
    ['ropirinole', 'ropinirole'],
  ] as const)
    expect(hasSwappedSyllables(typed, known) || editsUpToTwo(typed, known) === 2).toBe(true)
  expect(hasSwappedSyllables('metoprolol', 'metoprolol')).toBe(false)
  expect(hasDoubledSyllable('gabapentintin', 'gabapentin')).toBe(true)
  expect(hasDoubledSyllable('venlafaxine', 'venlafaxaxine')).toBe(true)
  expect(hasDoubledSyllable('gabapentinx', 'gabapentin')).toBe(false)
})

test('another brand is no misspelling', () => {
  const known = ['lidoderm', 'nicotine', 'donepezil'].map((word) => ({ word, products: 1 }))
  expect(rankDistantSpellings('nicoderm', known)).toEqual([])
  expect(rankDistantSpellings('danopezal', known).map(({ word }) => word)).toEqual(['donepezil'])
})

test('a comparison of letters rejects no misspelling that the exact comparison accepts', () => {
  const isFound = (typed: string, known: string): boolean =>
    rankDistantSpellings(typed, [{ word: known, products: 1 }]).length === 1
  const known = fc.stringMatching(/^[a-z][a-z0-9]{8,11}$/)
  const at = fc.nat({ max: 6 })
  const other = fc.constantFrom(...'aekpxz7')
  fc.assert(
    fc.property(known, at, at, other, other, (word, i, j, one, two) => {
      const replaced = word.slice(0, i + 1) + one + word.slice(i + 2)
      expect(isFound(replaced.slice(0, j + 1) + two + replaced.slice(j + 1), word)).toBe(true)
      expect(isFound(word.slice(0, i + 1) + word.slice(i + 2), word)).toBe(true)
      const doubled = word.slice(0, i + 2) + word.slice(i)
      expect(isFound(doubled, word)).toBe(true)
      expect(isFound(word, doubled)).toBe(true)
      expect(
        isFound(word.slice(0, i) + word.slice(i + 2, i + 4) + word.slice(i, i + 2) + word.slice(i + 4), word),
      ).toBe(true)
    }),
  )
  for (const [typed, right] of [
    ['fenotyne', 'fanitain'],
    ['phenotyne', 'phanitain'],
    ['zulfosalezine', 'zulphaselasone'],
    ['ketocanezole', 'kitaconosale'],
  ] as const)
    expect([typed, isFound(typed, right)]).toEqual([typed, true])
})
