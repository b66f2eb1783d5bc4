import { findCommonMatches } from '#db/search/common-words.ts'
import {
  countTier,
  fallbackTier,
  searchInOneQuery,
  type TierRow,
  type TierSearch,
} from '#db/search/tier-query.ts'
import { searchInStages } from '#db/search/search-in-stages.ts'
import { exactly, startingWith, type Match } from '#domain/search/match.ts'
import { brandTier } from '#domain/search/search-tiers.ts'
import { freshDatabase, openTestDatabase } from '#tests/support/databases.ts'
import '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'

/** Words with the documents that have them, of 21,000 in rank order. */
const words: Readonly<Record<string, string>> = {
  '=common': 'n % 700 = 0',
  '~common': 'n % 900 = 0',
  '=commoner': 'n % 300 = 1',
  common: 'n % 2 = 0',
  commonest: 'n % 5 = 1',
  middle: 'n % 60 = 0',
  middles: 'n % 60 < 2',
  rare: 'n % 500 = 0',
  '=rare': 'n % 1500 = 0',
  // More than are read by the index, and all after the ranks that are read in order.
  late: 'n > 20300',
}

/** The tiers of a search for a word, as `searchTiers` makes them. */
const tiersOf = (word: string): string[] => [
  `'=${word}'`,
  `'~${word}'`,
  `'=${word}':* & '#plain'`,
  `'=${word}':*`,
  `'~${word}':*`,
  `'${word}' | '=${word}' | '~${word}'`,
  `'${word}':* | '=${word}':* | '~${word}':*`,
]

/** What a search returns: documents in their order, those of exact names by tier, and the count. */
const resultOf = (rows: readonly TierRow[], end: number) => ({
  found: [
    ...new Set(rows.flatMap(({ tier, productId }) => (tier === countTier ? [] : (productId ?? [])))),
  ].slice(0, end),
  exact: rows.filter(({ tier }) => tier <= brandTier),
  total: rows.find(({ tier }) => tier === countTier)?.id,
})

async function openDocuments() {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const db = openTestDatabase(url)
  const lists = Object.entries(words).map(
    ([word, condition]) => sql`case when ${sql.raw(condition)} then ${sql.lit(word)} end`,
  )
  await db.transaction().execute(async (tx) => {
    // The documents are of no products.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`insert into product_documents (id, product_id, words)
      select n, 'product-' || n, array_to_tsvector(array_remove(array['every', '#plain', ${sql.join(lists)}], null))
      from generate_series(1, 21000) as n`.execute(tx)
  })
  return {
    db,
    url,
    close: async () => {
      await db.destroy()
      await remove()
    },
  }
}

test('a search in stages finds what one query finds, with few, many and late matches', async () => {
  const { db, close } = await openDocuments()
  const among = JSON.stringify(Array.from({ length: 3000 }, (_, i) => 7 * i + 1))
  for (const word of ['common', 'middle', 'rare', 'late', 'absent', 'every']) {
    for (const part of [
      { end: 24, countTo: 1001 },
      { end: 96, countTo: 1001 },
      { end: 10_000, countTo: 10_001 },
      { end: 24, countTo: 1001, among },
      { end: 8, countTo: 25 },
      { end: 6, countTo: 1 },
    ]) {
      const texts = tiersOf(word)
      const search: TierSearch = { among: null, fallback: null, ...part, texts, counted: texts.at(-1) ?? '' }
      const whole = await searchInOneQuery(db, search)
      const { end } = part
      const isCommon = texts.map((_, tier) => tier > 4 && ['common', 'every'].includes(word))
      for (const known of part.among ? [[]] : [[], isCommon]) {
        expect(
          resultOf(await searchInStages(db, search, { total: null, isCommon: known }), end),
          `${word} ${known.length} ${JSON.stringify(part).slice(0, 60)}`,
        ).toEqual(resultOf(whole, end))
      }
      const { total = 0 } = resultOf(whole, end)
      expect(
        resultOf(await searchInStages(db, search, { total, isCommon: [] }), end),
        `${word} with a known total`,
      ).toEqual(resultOf(whole, end))
    }
  }
  const [first] = await searchInStages(
    db,
    { texts: tiersOf('late'), counted: '', countTo: 1, among: null, fallback: null, end: 3 },
    { total: null, isCommon: [] },
  )
  expect(first).toMatchObject({ id: 20_301 })
  await close()
})

test('a fallback is looked for only when nothing matches', async () => {
  const { db, close } = await openDocuments()
  const fallbackOf = async (word: string, fallback: string, total: number | null = null) => {
    const search = { texts: tiersOf(word), counted: '', countTo: 1001, among: null, fallback, end: 24 }
    const rows = await searchInStages(db, search, { total, isCommon: [] })
    return rows.find(({ tier }) => tier === fallbackTier)?.id
  }
  expect(await fallbackOf('absent', "'common'")).toBe(1)
  expect(await fallbackOf('absent', "'nowhere'")).toBe(0)
  // All of its many matches were deleted since its total was first counted.
  expect(await fallbackOf('absent', "'common'", 0)).toBe(1)
  expect(await fallbackOf('rare', "'common'")).toBe(0)
  await close()
})

test('a match is of a common word once the documents are analyzed', async () => {
  const { db, url, close } = await openDocuments()
  const matches: Match[] = [
    [[exactly('common')]],
    [[startingWith('rare'), exactly('common')]],
    [[startingWith('common')]],
    [[exactly('common')], [exactly('every')]],
    [[exactly('middle')]],
    [],
  ]
  expect(await findCommonMatches(db, matches, 1001)).toEqual(matches.map(() => false))
  await sql`analyze product_documents`.execute(db)
  // A connection remembers what it read for a minute.
  const again = openTestDatabase(url)
  expect(await findCommonMatches(again, matches, 1001)).toEqual([true, true, false, false, false, false])
  expect(await findCommonMatches(again, matches, 10_000)).toEqual(matches.map(() => false))
  await again.destroy()
  await close()
})
