import type { DosageForm } from '#domain/catalog/catalog.ts'
import type { GridPage, GridQuery } from '#domain/grid.ts'
import type { LotStatus } from '#domain/inventory/lots.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { keysetPage } from '../engine/keyset.ts'
import { containsPattern } from '../engine/sql.ts'
import type { LotRow } from './lots.ts'

/** A lot with what names its variant. */
export type NamedLot = LotRow & {
  productName: string
  brandName: string | null
  strength: string
  strengthUnit: string
  packageSize: number
  packageUnit: string
  dosageForm: DosageForm | null
  labelForm: string | null
}

const selectNamed = (db: Db) =>
  db
    .selectFrom('stockLots as l')
    .innerJoin('productVariants as v', 'v.id', 'l.variantId')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .selectAll('l')
    .select([
      'p.name as productName',
      'v.brandName',
      'v.strength',
      'v.strengthUnit',
      'v.packageSize',
      'v.packageUnit',
      'v.dosageForm',
      'v.labelForm',
    ])

export async function findNamedLot(db: Db, id: string): Promise<NamedLot | null> {
  return (await selectNamed(db).where('l.id', '=', id).executeTakeFirst()) ?? null
}

export type LotFilter = {
  variantId: string | null
  /** Null for all. */
  status: LotStatus | null
  /** The last expiry date, YYYY-MM-DD; null for all. */
  expiresBy: string | null
  /** With units only. */
  isStocked: boolean
}

const filterLots = (db: Db, { variantId, status, expiresBy, isStocked }: LotFilter) =>
  selectNamed(db)
    .$if(variantId !== null, (query) => query.where('l.variantId', '=', variantId ?? ''))
    .$if(status !== null, (query) => query.where('l.status', '=', status ?? 'available'))
    .$if(expiresBy !== null, (query) => query.where('l.expiresOn', '<=', expiresBy ?? ''))
    .$if(isStocked, (query) => query.where('l.quantity', '>', 0))

/** The first lots by expiry date. */
export const listLots = (db: Db, { limit, ...filter }: LotFilter & { limit: number }): Promise<NamedLot[]> =>
  filterLots(db, filter).orderBy('l.expiresOn').orderBy('l.id').limit(limit).execute()

const sortedBy = {
  expires: sql<string>`l.expires_on`,
  lot: sql<string>`lower(l.lot_number)`,
  product: sql<string>`p.sort_name`,
  quantity: sql<number>`l.quantity`,
} as const

/** A page of the lots whose number, or product's name, contains the search text. */
export function listLotPage(
  db: Db,
  query: GridQuery<keyof typeof sortedBy>,
  filter: LotFilter,
): Promise<GridPage<NamedLot>> {
  const pattern = containsPattern(query.q.toLowerCase())
  const rows = filterLots(db, filter).$if(query.q !== '', (rows) =>
    rows.where(
      sql<boolean>`(lower(l.lot_number) like ${pattern} escape '\\' or lower(p.name) like ${pattern} escape '\\')`,
    ),
  )
  const total = rows
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return keysetPage(
    rows,
    { by: sortedBy[query.sort], id: sql`l.id` },
    query,
    total.then(({ count }) => count),
  )
}
