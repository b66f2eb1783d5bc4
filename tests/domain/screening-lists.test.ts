import { screen } from '#domain/screening/screen.ts'
import { findFacts, readCareLists } from '#tests/support/care-lists.ts'
import {
  drawAllergies,
  drawInteractions,
  drawSameClass,
  drawSameIngredient,
  drawUnlisted,
  indexMedicines,
  listAllergyLabels,
  type ListedPair,
} from '#tests/support/screening-pairs.ts'
import { readDirectoryMedicines } from '#tests/support/directory-medicines.ts'
import { seeded } from '#tests/support/seeded.ts'
import { expect, test } from 'vitest'

/** The real lists against real medicines of both directories. Every listed pair must be found. */
const lists = readCareLists()
const index = indexMedicines(
  readDirectoryMedicines('tests/fixtures/search', { ndc: 'ndc.tsv.gz', dpd: 'dpd.tsv.gz' }),
)
const count = 2000

const missed = (pairs: readonly ListedPair[]): string[] =>
  pairs.filter(({ input, isFound }) => !isFound(screen(input, findFacts(lists, input)))).map(({ row }) => row)

const draws: Readonly<Record<string, { pairs: () => ListedPair[]; atLeast: number }>> = {
  'graded interactions': {
    pairs: () =>
      drawInteractions(lists, index, {
        list: 'interactions-ndfrt',
        by: 'ingredient',
        count,
        random: seeded(1),
      }),
    atLeast: count,
  },
  'interactions in labels': {
    pairs: () =>
      drawInteractions(lists, index, {
        list: 'interactions-label',
        by: 'ingredient',
        count,
        random: seeded(2),
      }),
    atLeast: count,
  },
  'interactions with a class in labels': {
    pairs: () =>
      drawInteractions(lists, index, { list: 'interactions-label', by: 'class', count, random: seeded(3) }),
    atLeast: count,
  },
  'the same class': {
    pairs: () => drawSameClass(lists, index, { count, random: seeded(4) }),
    atLeast: count,
  },
  'the same ingredient': {
    pairs: () => drawSameIngredient(index, { count, random: seeded(5) }),
    atLeast: count,
  },
  'allergy groups': {
    pairs: () => drawAllergies(lists, index, { count, random: seeded(6) }),
    atLeast: count,
  },
  'allergies in labels': { pairs: () => listAllergyLabels(lists, index), atLeast: 100 },
}

test.each(Object.entries(draws))('finds every pair of %s', (_, { pairs, atLeast }) => {
  const drawn = pairs()
  expect(drawn.length).toBeGreaterThanOrEqual(atLeast)
  expect(missed(drawn)).toEqual([])
})

test('says nothing of pairs that no list has and that share no class', () => {
  const loud = drawUnlisted(lists, index, { count, random: seeded(7) }).flatMap((input) =>
    screen(input, findFacts(lists, input)).alerts.filter(
      ({ second }) => second !== null && second.key !== '',
    ),
  )
  expect(loud).toEqual([])
})
