import { categories } from '#domain/catalog/catalog.ts'
import type { OfferGroup } from '#domain/search/facets.ts'
import type { Match } from '#domain/search/match.ts'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { perCatalog } from '../catalog/catalog-memo.ts'
import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import { matchText } from './match-text.ts'
import { byIndex, matching } from './tier-query.ts'

/** The products of a result: all that match, or a list of ids. */
export type FoundProducts =
  | {
      match: Match
      /** Only these documents; null for all. */
      among: readonly number[] | null
    }
  | { productIds: readonly string[] }

/** A group as one text, as `product_documents.offer_group` has it: "Rx ID tablet+2,tablet-3". */
export const groupText = ({ category, pharmacyId, offers }: Omit<OfferGroup, 'products'>): string =>
  `${category} ${pharmacyId ?? ''} ${offers}`

/** The same text in SQL, of a product `p`. */
export const groupExpression = sql<string>`p.category || ' ' || coalesce(p.pharmacy_id, '') || ' ' || p.offers`

const groupSchema = z.tuple([z.enum(categories), z.string(), z.string()])

function parseGroup(text: string): Omit<OfferGroup, 'products'> {
  const [category, pharmacyId, offers] = groupSchema.parse(text.split(' '))
  return { category, pharmacyId: pharmacyId || null, offers }
}

async function readOffers(db: Db, among: RawBuilder<unknown>): Promise<OfferGroup[]> {
  const { rows } = await sql<OfferGroup>`
    select category, pharmacy_id as "pharmacyId", offers, count(*) as products from products
    where deleted_at is null ${among} group by category, pharmacy_id, offers`.execute(db)
  return rows
}

const allOffers = perCatalog((db): Promise<readonly OfferGroup[]> => readOffers(db, sql``))

type Values = { text: string; among: string; limit: number }

const matchQuery = (isRestricted: boolean) =>
  prepareQuery((db, p: Params<Values>) => {
    const among = isRestricted ? p.among : null
    // On Postgres in no order, so that it stops at the limit.
    const documents =
      getEngine(db) === 'sqlite'
        ? sql`select product_id, offer_group from (${matching(db, p.text, among, p.limit)}) as matching
            join product_documents using (id)`
        : sql`${byIndex(p.text, among)} limit ${p.limit}`
    // Migration 0058 left it empty in the documents that Postgres had.
    const ofProduct = sql`(select ${groupExpression} from products p where p.id = found.product_id)`
    return db
      .selectFrom(sql<{ productId: string; offerGroup: string | null }>`(${documents})`.as('found'))
      .select([
        sql<string>`coalesce(found.offer_group, ${ofProduct})`.as('group'),
        sql<number>`cast(count(*) as integer)`.as('products'),
      ])
      .groupBy('group')
  })
const [countAll, countAmong] = [matchQuery(false), matchQuery(true)]

/**
 * The groups of equal products among these, or of all listed products.
 * @param limit counts no more matches than this
 */
export async function countOffers(
  db: Db,
  found: FoundProducts | null,
  limit: number,
): Promise<readonly OfferGroup[]> {
  if (found === null) return allOffers(db)
  if ('productIds' in found)
    return readOffers(db, sql`and ${isOneOf(db, 'id', sql`${JSON.stringify(found.productIds)}`)}`)
  const count = found.among ? countAmong : countAll
  const rows = await count(db, {
    text: matchText(getEngine(db), found.match),
    among: JSON.stringify(found.among),
    limit,
  })
  return rows.map(({ group, products }) => ({ ...parseGroup(group), products }))
}
