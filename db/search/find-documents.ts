import { sql } from 'kysely'
import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'
import type { Match } from '#domain/search/match.ts'
import { brandTier } from '#domain/search/search-tiers.ts'
import { matchText } from './match-text.ts'
import { findCommonMatches } from './common-words.ts'
import { findKnownTotal } from './known-totals.ts'
import { searchInStages } from './search-in-stages.ts'
import {
  countTier,
  fallbackTier,
  matching,
  searchInOneQuery,
  textAt,
  type TierRow,
  type TierSearch,
} from './tier-query.ts'

export type DocumentMatches = {
  /** In order: tier by tier, within each by rank, every product once. */
  productIds: string[]
  /** The products with a brand of exactly the query's name. */
  brandMatches: string[]
  /** Whether a product or a brand has exactly the query's name. */
  isExactName: boolean
  /** How many match the last tier, which includes all others. At most one more than `countTo`. */
  total: number
  /** The last tier: what all of them match. */
  match: Match
  /** Nothing matches, but a document matches the fallback. */
  fallbackMatches: boolean
}

type DocumentSearch = {
  end: number
  among: readonly number[] | null
  countTo: number
  fallback?: Match | null
}

/**
 * The first products of several tiers of matches. The last tier must include all others. At most
 * eight tiers.
 * @param end how many products to return, from the first
 * @param among restricts the search to these documents
 * @param countTo counts no further than this
 * @param fallback a match to look for when nothing matches the tiers, in all documents
 */
export async function findDocuments(
  db: Db,
  tiers: readonly Match[],
  { end, among, countTo, fallback = null }: DocumentSearch,
): Promise<DocumentMatches> {
  const engine = getEngine(db)
  const match = tiers.at(-1) ?? []
  const texts = tiers.map((tier) => matchText(engine, tier))
  const last = { text: texts.at(-1) ?? '', countTo: countTo + 1 }
  const known = among ? null : await findKnownTotal(db, last)
  let total = known?.total ?? 0
  const search = {
    texts,
    counted: known?.total == null ? last.text : null,
    countTo: last.countTo,
    among: among && JSON.stringify(among),
    end,
    fallback: fallback && matchText(engine, fallback),
  }
  const rows =
    engine === 'sqlite'
      ? await (texts.length > 1 && total > end ? searchAllButLast : searchInOneQuery)(db, search)
      : await searchInStages(db, search, {
          total: known?.total ?? null,
          isCommon: among ? [] : await findCommonMatches(db, tiers, search.countTo),
        })
  const productIds = new Set<string>()
  const brandMatches: string[] = []
  let isExactName = false
  let fallbackMatches = false
  for (const row of rows) {
    if (row.tier <= brandTier) isExactName = true
    if (row.tier === countTier) total = row.id
    else if (row.tier === fallbackTier) fallbackMatches = row.id > 0
    else if (row.productId !== null) productIds.add(row.productId)
    if (row.tier === brandTier && row.productId !== null) brandMatches.push(row.productId)
  }
  if (search.counted !== null) known?.keep(total)
  if (total === 0 && fallback && engine === 'sqlite') fallbackMatches = await hasMatch(db, fallback)
  return {
    productIds: [...productIds].slice(0, end),
    brandMatches,
    isExactName,
    total,
    match,
    fallbackMatches,
  }
}

const hasMatch = async (db: Db, match: Match): Promise<boolean> =>
  ((await findDocumentIds(db, [match], 1))[0] ?? []).length > 0

/**
 * Of many matches, the tiers before the last have enough. The last one has prefixes, and SQLite
 * merges all documents of all words that start with one before it reads the first.
 */
async function searchAllButLast(db: Db, search: TierSearch): Promise<TierRow[]> {
  const last = search.texts.length - 1
  const rows = await searchInOneQuery(db, { ...search, texts: search.texts.slice(0, last) })
  if (new Set(rows.map(({ id }) => id)).size >= search.end) return rows
  const others = await searchInOneQuery(db, { ...search, texts: search.texts.slice(last) })
  return [...rows, ...others.map((row) => ({ ...row, tier: last }))]
}

type MatchRow = { part: number; id: number }

const partQueries = new Map<
  number,
  (db: Db, values: { texts: string; limit: number }) => Promise<MatchRow[]>
>()

function partsQuery(parts: number) {
  return prepareQuery((db, p: Params<{ texts: string; limit: number }>) => {
    const found = Array.from(
      { length: parts },
      (_, part) =>
        sql`select ${sql.lit(part)} as part, id from (${matching(db, textAt(db, p.texts, part), null, p.limit)}) as ${sql.raw(`part${part}`)}`,
    )
    return db
      .selectFrom(sql<MatchRow>`(${sql.join(found, sql` union all `)})`.as('found'))
      .select(['found.part', 'found.id'])
  })
}

/** The first document ids of each of these matches, in one query. */
export async function findDocumentIds(db: Db, matches: readonly Match[], limit: number): Promise<number[][]> {
  if (matches.length === 0) return []
  const engine = getEngine(db)
  let query = partQueries.get(matches.length)
  if (!query) partQueries.set(matches.length, (query = partsQuery(matches.length)))
  const rows = await query(db, {
    texts: JSON.stringify(matches.map((match) => matchText(engine, match))),
    limit,
  })
  const found: number[][] = matches.map(() => [])
  for (const { part, id } of rows) found[part]?.push(id)
  return found
}
