import { brandTier } from '#domain/search/search-tiers.ts'
import { sql, type RawBuilder } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import {
  byIndex,
  countTier,
  fallbackTier,
  matching,
  searchInOneQuery,
  textAt,
  unionAll,
  withProducts,
  type TierRow,
  type TierSearch,
} from './tier-query.ts'

/** With at most this many matches in the last tier, all tiers are searched among them. */
const few = 200

/** Above this many matches, a tier's first ones are found by reading documents in rank order. */
const many = 500
const firstRanks = 20_000

/** How many tiers are names (`searchTiers`). */
const nameTierCount = 4

/**
 * The same as `searchInOneQuery`, on Postgres. Its word index names all matches of a word, however
 * few are wanted, and in no order. So this reads as few of them as possible:
 *
 * - The last tier includes all others. When it has few matches, the others are among them.
 * - A tier is read only when the earlier ones have too few.
 * - Of many matches, the first ones are found sooner by reading documents in the order of ranks.
 * - The matches of a word that is known to be common are not counted.
 *
 * Names that are exactly the query are always searched: they say what else is offered.
 * @param known the total, or null when it must be counted; and which tiers are of a common word
 * that at least `countTo` documents have
 */
export async function searchInStages(
  db: Db,
  search: TierSearch,
  known: { total: number | null; isCommon: readonly boolean[] },
): Promise<TierRow[]> {
  const { isCommon } = known
  const { countTo } = search
  // With a small known total, no fallback would be looked for, and few matches need no stages.
  let total = known.total !== null && known.total > few ? known.total : null
  if (total === null && isCommon.at(-1)) total = countTo
  if (total === null) {
    const rows = await searchFew(db, search)
    const found = rows.find(({ tier }) => tier === countTier)?.id ?? 0
    if (found <= few)
      return [...rows.filter(({ tier }) => tier !== countTier), countRow(Math.min(found, countTo))]
    total = countTo <= few ? countTo : await countMatches(db, search)
  }
  return [...(await searchTiers(db, search, isCommon)), countRow(total)]
}

const countRow = (total: number): TierRow => ({ tier: countTier, id: total, productId: null })

/** Tier by tier, until there are enough documents. */
async function searchTiers(db: Db, search: TierSearch, isCommon: readonly boolean[]): Promise<TierRow[]> {
  const { texts, among, end } = search
  const rows: TierRow[] = []
  const isEnough = (): boolean => new Set(rows.map(({ id }) => id)).size >= end
  const add = async (from: number, to: number): Promise<void> => {
    const found = await searchInOneQuery(db, { ...search, counted: null, texts: texts.slice(from, to) })
    rows.push(...found.map((row) => ({ ...row, tier: from + row.tier })))
  }
  if (end > many || among !== null || texts.length < nameTierCount) {
    await add(0, texts.length)
    return rows
  }
  rows.push(...(await searchNames(db, { texts: JSON.stringify(texts), end })))
  for (let tier = nameTierCount; tier < texts.length && !isEnough(); tier++) {
    const first = await searchByRank(db, { text: texts[tier] ?? '', end, isCommon: isCommon[tier] ?? false })
    if (first) rows.push(...first.map((row) => ({ ...row, tier })))
    else await add(tier, tier + 1)
  }
  return rows
}

/**
 * The tiers of names in one query. After the exact names, a tier is only read when the earlier ones
 * have too few: ten times as many names may start with a text as those of one ingredient alone.
 */
const searchNames = prepareQuery((db, p: Params<{ texts: string; end: number }>) => {
  const names = Array.from({ length: nameTierCount }, (_, tier) => sql.ref(`tier${tier}`))
  const idsOf = (tiers: typeof names) => tiers.map((name) => sql`select id from ${name}`)
  const tiers = names.map((name, tier) => {
    const all = matching(db, textAt(db, p.texts, tier), null, p.end)
    const earlier = sql`(select count(*) from (${sql.join(idsOf(names.slice(0, tier)), sql` union `)}) as earlier)`
    return tier <= brandTier
      ? sql`${name} as materialized (${all})`
      : sql`${name} as materialized (select id from (${all}) as these where ${earlier} < ${p.end})`
  })
  const rows = names.map((name, tier) => sql`select ${sql.lit(tier)} as tier, id from ${name}`)
  return withProducts(db, sql`with ${sql.join(tiers)} ${sql.join(rows, unionAll)}`)
})

/**
 * At most this many matches. The planner must not see the limit (the offset): for few rows, it
 * would scan the words of documents until it has them.
 */
const someByIndex = (match: RawBuilder<string>, among: RawBuilder<string> | null, limit: number) =>
  sql`select * from (${byIndex(match, among)} offset 0) as matching limit ${sql.lit(limit)}`

type Document = { id: number; productId: string }

const someQuery = prepareQuery((db, p: Params<{ text: string }>) =>
  db
    .selectFrom(sql<Document>`(${someByIndex(p.text, null, many + 1)})`.as('some_matches'))
    .select(['id', 'productId']),
)

const rankedQuery = prepareQuery((db, p: Params<{ text: string; end: number }>) =>
  db
    .selectFrom(
      sql<Document>`(select id, product_id, words from product_documents order by id
        limit ${sql.lit(firstRanks)})`.as('first_ranks'),
    )
    .select(['id', 'productId'])
    .where(sql<boolean>`words @@ (select ${p.text}::tsquery)`)
    .orderBy('id')
    .limit(sql<number>`${p.end}`),
)

/** The first documents of a tier. Null when there are many, but too few in the first ranks. */
async function searchByRank(
  db: Db,
  { text, end, isCommon }: { text: string; end: number; isCommon: boolean },
): Promise<Document[] | null> {
  const some = isCommon ? null : await someQuery(db, { text })
  if (some && some.length <= many) return some.toSorted((a, b) => a.id - b.id).slice(0, end)
  const first = await rankedQuery(db, { text, end })
  return first.length === end ? first : null
}

type Matches = { last: string; among: string }

const countQuery = (isRestricted: boolean) =>
  prepareQuery((db, p: Params<Matches & { countTo: number }>) =>
    db
      .selectFrom(
        sql<{ id: number }>`(select id from (${byIndex(p.last, isRestricted ? p.among : null)}) as matching
          limit ${p.countTo})`.as('counted'),
      )
      .select(sql<number>`cast(count(*) as integer)`.as('total')),
  )
const [countAll, countAmong] = [countQuery(false), countQuery(true)]

async function countMatches(db: Db, { texts, among, countTo }: TierSearch): Promise<number> {
  const count = among === null ? countAll : countAmong
  const [row] = await count(db, { last: texts.at(-1) ?? '', among: among ?? '', countTo })
  return row?.total ?? 0
}

type FewValues = Matches & { texts: string; end: number; fallback: string }

const fewQuery = (tiers: number, isRestricted: boolean, hasFallback: boolean) =>
  prepareQuery((db, p: Params<FewValues>) => {
    const rows = Array.from(
      { length: tiers },
      (_, tier) => sql`select ${sql.lit(tier)} as tier, id from (
        select id from few where words @@ (select ${textAt(db, p.texts, tier)}::tsquery)
          and (select count(*) from few) <= ${sql.lit(few)}
        order by id limit ${p.end}) as ${sql.ref(`tier${tier}`)}`,
    )
    const count = sql`select ${sql.lit(countTier)} as tier, count(*) as id from few`
    const fallback = sql`select ${sql.lit(fallbackTier)} as tier, count(*) as id from (
      select id from (${someByIndex(p.fallback, null, 1)}) as other where (select count(*) from few) = 0) as fallback`
    return withProducts(
      db,
      sql`with few as materialized (${someByIndex(p.last, isRestricted ? p.among : null, few + 1)})
        ${sql.join([...rows, count, ...(hasFallback ? [fallback] : [])], unionAll)}`,
    )
  })

const fewQueries = new Map<string, ReturnType<typeof fewQuery>>()

/**
 * All tiers among the matches of the last one, and how many these are. With more than `few`, only
 * their number, which is then `few + 1`.
 */
async function searchFew(db: Db, { texts, among, end, fallback }: TierSearch): Promise<TierRow[]> {
  const shape = [texts.length, among !== null, fallback !== null] as const
  const query = fewQueries.get(shape.join()) ?? fewQuery(...shape)
  fewQueries.set(shape.join(), query)
  return query(db, {
    texts: JSON.stringify(texts),
    last: texts.at(-1) ?? '',
    among: among ?? '',
    end,
    fallback: fallback ?? '',
  })
}
