import { brandTier } from '#domain/search/search-tiers.ts'
import { sql, type RawBuilder } from 'kysely'
import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'

export type TierRow = { tier: number; id: number; productId: string | null }

/** The tier of the row that says how many match. */
export const countTier = 99
/** The tier of the row that says whether the fallback matches: 0 or 1. */
export const fallbackTier = 98

export type TierSearch = {
  /** A match for each tier, in the engine's syntax. At most eight. */
  texts: readonly string[]
  /** What is counted, up to `countTo`; null counts nothing. */
  counted: string | null
  countTo: number
  /** The documents that are searched, as JSON; null for all. */
  among: string | null
  /** Looked for in all documents when nothing matches. Postgres only. */
  fallback: string | null
  /** How many of each tier. */
  end: number
}

type Values = { texts: string; counted: string; countTo: number; among: string; end: number }

export const unionAll = sql` union all `

/** Documents by the word index of Postgres, in no order. */
export const byIndex = (match: RawBuilder<string>, among: RawBuilder<string> | null) =>
  sql`select id, product_id, offer_group, words from product_documents where words @@ (select ${match}::tsquery) ${
    among ? sql`and id in (select jsonb_array_elements_text(${among}::jsonb)::bigint)` : sql``
  }`

/**
 * The ids of matching documents in rank order. SQLite reads them in that order and stops at the
 * limit. Postgres must use its word index: its estimate for a common word would make it scan the
 * words of every document, 20 times slower. So the planner sees neither the word (the subquery) nor
 * the order (the offset).
 */
export const matching = (
  db: Db,
  match: RawBuilder<string>,
  among: RawBuilder<string> | null,
  limit: RawBuilder<number>,
): RawBuilder<unknown> =>
  getEngine(db) === 'sqlite'
    ? sql`select rowid as id from product_documents_fts where product_documents_fts match ${match} ${
        among ? sql`and rowid in (select value from json_each(${among}))` : sql``
      } order by rowid limit ${limit}`
    : sql`select id from (${byIndex(match, among)} offset 0) as matching order by id limit ${limit}`

/** An entry of a JSON array of texts. */
export const textAt = (db: Db, texts: RawBuilder<string>, place: number): RawBuilder<string> =>
  getEngine(db) === 'sqlite'
    ? sql`json_extract(${texts}, ${sql.lit(`$[${place}]`)})`
    : sql`(${texts}::jsonb ->> ${sql.lit(place)})`

/**
 * The rows of all tiers. A document comes once, in its first tier: a page with facets reads
 * thousands. Only the tiers of exact names keep all of theirs.
 */
function rowsOf(tiers: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const rows = tiers.map((tier, place) => sql`select ${sql.lit(place)} as tier, id from ${tier}`)
  const others = rows.slice(brandTier + 1)
  const once = sql`select min(tier) as tier, id from (${sql.join(others, unionAll)}) as others group by id`
  return sql.join([...rows.slice(0, brandTier + 1), ...(others.length > 0 ? [once] : [])], unionAll)
}

/** The rows of a subquery of tiers and ids, with their products, in rank order. */
export const withProducts = (db: Db, found: RawBuilder<unknown>) =>
  db
    .selectFrom(sql<{ tier: number; id: number }>`(${found})`.as('found'))
    .leftJoin('productDocuments', 'productDocuments.id', 'found.id')
    .select(['found.tier', 'found.id', 'productDocuments.productId'])
    .orderBy('found.tier')
    .orderBy('found.id')

const tierQuery = (tiers: number, isCounted: boolean, isRestricted: boolean) =>
  prepareQuery((db, p: Params<Values>) => {
    const among = isRestricted ? p.among : null
    const found = rowsOf(
      Array.from(
        { length: tiers },
        (_, tier) =>
          sql`(${matching(db, textAt(db, p.texts, tier), among, p.end)}) as ${sql.ref(`tier${tier}`)}`,
      ),
    )
    const count = sql`select ${sql.lit(countTier)} as tier, count(*) as id from (${matching(db, p.counted, among, p.countTo)}) as counted`
    return withProducts(db, isCounted ? sql`${found} union all ${count}` : found)
  })

const tierQueries = new Map<string, (db: Db, values: Values) => Promise<TierRow[]>>()

/** The first documents of several tiers, and how many match, in one query. */
export async function searchInOneQuery(
  db: Db,
  { texts, counted, countTo, among, end }: TierSearch,
): Promise<TierRow[]> {
  const shape = [texts.length, counted !== null, among !== null] as const
  const query = tierQueries.get(shape.join()) ?? tierQuery(...shape)
  tierQueries.set(shape.join(), query)
  return query(db, {
    texts: JSON.stringify(texts),
    counted: counted ?? '',
    countTo,
    among: among ?? '',
    end,
  })
}
