import type { Match } from '#domain/search/match.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'

const rereadAfterMs = 60_000

const known = new WeakMap<Db, { until: number; words: Promise<ReadonlyMap<string, number>> }>()

/** A word in at least this share of documents is common: reading a few hundred fills a page. */
const commonShare = 0.05

/**
 * Which of these matches are of a common word that at least `count` documents have. Postgres
 * estimates their number from a sample whenever it analyzes the table, which each rebuild of the
 * search ends with. So the word counts only when twice as many are estimated. On Postgres only.
 */
export async function findCommonMatches(
  db: Db,
  matches: readonly Match[],
  count: number,
): Promise<boolean[]> {
  const words = await readCommonWords(db)
  return matches.map(
    ([terms = [], ...others]) =>
      others.length === 0 && terms.some(({ word, prefix }) => !prefix && (words.get(word) ?? 0) >= 2 * count),
  )
}

function readCommonWords(db: Db): Promise<ReadonlyMap<string, number>> {
  const last = known.get(db)
  if (last && performance.now() < last.until) return last.words
  const words = queryCommonWords(db)
  known.set(db, { until: performance.now() + rereadAfterMs, words })
  // The next search tries again. The error reaches this one's caller.
  words.catch(() => known.delete(db))
  return words
}

/**
 * The common words with the numbers of their documents (PostgreSQL manual, pg_stats). The list of
 * shares has three more entries than the one of words.
 */
async function queryCommonWords(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ word: string; documents: number }>`
    select word, share * reltuples as documents
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      join pg_stats on schemaname = nspname and tablename = relname and attname = 'words',
      unnest(most_common_elems::text::text[], most_common_elem_freqs) as common (word, share)
    where pg_class.oid = 'product_documents'::regclass and word is not null and share >= ${commonShare}`.execute(
    db,
  )
  return new Map(rows.map(({ word, documents }) => [word, documents]))
}
