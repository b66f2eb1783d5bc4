import { sql } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

const wordsPerStep = 5000

/** A word reversed, so that an index can find words by their ending. */
export const reverse = (word: string): string => [...word].reverse().join('')

/** The words, each with the number of products that have it. */
export async function loadSearchWords(db: Db): Promise<Map<string, number>> {
  const stored = await db.selectFrom('searchWords').select(['word', 'products']).execute()
  return new Map(stored.map(({ word, products }) => [word, products]))
}

/**
 * Replaces the words that were `known` when they were counted by these. A word that an edit has
 * added to the table since then stays.
 */
export async function replaceSearchWords(
  db: Db,
  { known, words }: { known: ReadonlyMap<string, number>; words: ReadonlyMap<string, number> },
): Promise<void> {
  const removed = [...known.keys()].filter((word) => !words.has(word))
  const changed = [...words].filter(([word, products]) => known.get(word) !== products)
  if (removed.length > 0)
    await db
      .deleteFrom('searchWords')
      .where(isOneOf(db, 'word', sql`${JSON.stringify(removed)}`))
      .execute()
  for (let start = 0; start < changed.length; start += wordsPerStep) {
    const rows = changed
      .slice(start, start + wordsPerStep)
      .map(([word, products]) => ({ word, reversed: reverse(word), products }))
    await insertRows(db, JSON.stringify(rows), sql`set products = excluded.products`)
  }
}

/** Adds missing words. */
export async function addSearchWords(db: Db, words: Iterable<string>): Promise<void> {
  const rows = [...words].map((word) => ({ word, reversed: reverse(word), products: 1 }))
  await insertRows(db, JSON.stringify(rows), null)
}

async function insertRows(db: Db, rows: string, update: ReturnType<typeof sql> | null): Promise<void> {
  const source =
    getEngine(db) === 'sqlite'
      ? sql`json_each(${rows})`
      : sql`jsonb_array_elements(${rows}::jsonb) as row (value)`
  // "where true" keeps SQLite from parsing "on conflict" as a join constraint.
  await sql`insert into search_words (word, reversed, products)
    select value ->> 'word', value ->> 'reversed', cast(value ->> 'products' as integer) from ${source} where true
    on conflict (word) do ${update ? sql`update ${update}` : sql`nothing`}`.execute(db)
}
