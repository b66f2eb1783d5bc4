import { sql, type RawBuilder } from 'kysely'
import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'
import type { Match } from '#domain/search/match.ts'
import { brandTier } from '#domain/search/search-tiers.ts'
import { matchText } from './match-text.ts'

export type DocumentMatches = {
  /** In order: tier by tier, within each by rank, every product once. */
  productIds: string[]
  /** The products with a brand of exactly the query's name. */
  brandMatches: string[]
  /** Whether a product or a brand has exactly the query's name. */
  isExactName: boolean
  /** How many match the last tier, which includes all others. At most one more than `countTo`. */
  total: number
}

type Row = { tier: number; id: number; productId: string | null }
const countTier = 99

/**
 * The ids of matching documents in rank order. SQLite reads them in that order and stops at the
 * limit. Postgres must use its word index: its estimate for a common word would make it scan the
 * words of every document, 20 times slower. So the planner sees neither the word (the subquery) nor
 * the order (the offset).
 */
const matching = (
  db: Db,
  match: RawBuilder<string>,
  among: RawBuilder<string> | null,
  limit: RawBuilder<number>,
): RawBuilder<unknown> =>
  getEngine(db) === 'sqlite'
    ? sql`select rowid as id from product_documents_fts where product_documents_fts match ${match} ${
        among ? sql`and rowid in (select value from json_each(${among}))` : sql``
      } order by rowid limit ${limit}`
    : sql`select id from (
        select id from product_documents where words @@ (select ${match}::tsquery) ${
          among ? sql`and id in (select jsonb_array_elements_text(${among}::jsonb)::bigint)` : sql``
        } offset 0) as matching order by id limit ${limit}`

const tierNames = ['tier0', 'tier1', 'tier2', 'tier3', 'tier4', 'tier5', 'tier6', 'tier7'] as const
type Values = Record<(typeof tierNames)[number], string> & {
  last: string
  among: string
  end: number
  countTo: number
}

function tierQuery(tiers: number, restricted: boolean) {
  return prepareQuery((db, p: Params<Values>) => {
    const among = restricted ? p.among : null
    const parts = tierNames
      .slice(0, tiers)
      .map(
        (name, tier) =>
          sql`select ${sql.lit(tier)} as tier, id from (${matching(db, p[name], among, p.end)}) as ${sql.raw(name)}`,
      )
    parts.push(
      sql`select ${sql.lit(countTier)} as tier, count(*) as id from (${matching(db, p.last, among, p.countTo)}) as counted`,
    )
    return db
      .selectFrom(sql<{ tier: number; id: number }>`(${sql.join(parts, sql` union all `)})`.as('found'))
      .leftJoin('productDocuments', 'productDocuments.id', 'found.id')
      .select(['found.tier', 'found.id', 'productDocuments.productId'])
      .orderBy('found.tier')
      .orderBy('found.id')
  })
}

const tierQueries = new Map<string, (db: Db, values: Values) => Promise<Row[]>>()

/**
 * The first products of several tiers of matches, in one query. The last tier must include all
 * others. At most eight tiers.
 * @param end how many products to return, from the first
 * @param among restricts the search to these documents
 * @param countTo counts no further than this
 */
export async function findDocuments(
  db: Db,
  tiers: readonly Match[],
  { end, among, countTo }: { end: number; among: readonly number[] | null; countTo: number },
): Promise<DocumentMatches> {
  const engine = getEngine(db)
  const texts = tiers.map((tier) => matchText(engine, tier))
  const queryKey = `${tiers.length} ${among !== null}`
  let query = tierQueries.get(queryKey)
  if (!query) tierQueries.set(queryKey, (query = tierQuery(tiers.length, among !== null)))
  const [tier0 = '', tier1 = '', tier2 = '', tier3 = '', tier4 = '', tier5 = '', tier6 = '', tier7 = ''] =
    texts
  const rows = await query(db, {
    tier0,
    tier1,
    tier2,
    tier3,
    tier4,
    tier5,
    tier6,
    tier7,
    last: texts.at(-1) ?? '',
    among: among ? JSON.stringify(among) : '',
    end,
    countTo: countTo + 1,
  })
  const productIds = new Set<string>()
  const brandMatches: string[] = []
  let total = 0
  let isExactName = false
  for (const row of rows) {
    if (row.tier <= brandTier) isExactName = true
    if (row.tier === countTier) total = row.id
    else if (row.productId !== null) productIds.add(row.productId)
    if (row.tier === brandTier && row.productId !== null) brandMatches.push(row.productId)
  }
  return { productIds: [...productIds].slice(0, end), brandMatches, isExactName, total }
}

type MatchRow = { part: number; id: number }

const partQueries = new Map<
  number,
  (db: Db, values: { texts: string; limit: number }) => Promise<MatchRow[]>
>()

function partsQuery(parts: number) {
  return prepareQuery((db, p: Params<{ texts: string; limit: number }>) => {
    const text = (part: number): RawBuilder<string> =>
      getEngine(db) === 'sqlite'
        ? sql`json_extract(${p.texts}, ${sql.lit(`$[${part}]`)})`
        : sql`(${p.texts}::jsonb ->> ${sql.lit(part)})`
    const found = Array.from(
      { length: parts },
      (_, part) =>
        sql`select ${sql.lit(part)} as part, id from (${matching(db, text(part), null, p.limit)}) as ${sql.raw(`part${part}`)}`,
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
