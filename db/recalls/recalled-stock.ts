import { groupBy } from '#domain/group-by.ts'
import { listNdcCodes, variantCode } from '#domain/screening/recall-codes.ts'
import { sql, type Insertable } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import type { Schema } from '../schema/schema.ts'

/** The stock of a variant: its available lots, and the units in none. */
export type VariantStock = {
  variantId: string
  /** 0 for a deleted variant, of which only lots can be held. */
  loose: number
  /** Whether it is on sale without a count of its units. */
  isOnSaleUntracked: boolean
  lots: { id: string; lotNumber: string; quantity: number }[]
}

/** The stock of these variants that has units or needs none, deleted variants too. */
export async function listStockOf(db: Db, variantIds: readonly string[]): Promise<VariantStock[]> {
  const ids = sql<string>`${JSON.stringify(variantIds)}`
  const variants = await db
    .selectFrom('productVariants as v')
    .select([
      'id',
      'stockQuantity',
      'deletedAt',
      sql<number>`case when ${isOnSaleUntracked} then 1 else 0 end`.as('onSaleUntracked'),
    ])
    .where(isOneOf(db, 'id', ids))
    .where((row) => row.or([row('stockQuantity', '>', 0), isOnSaleUntracked]))
    .orderBy('id')
    .execute()
  const lots = await db
    .selectFrom('stockLots')
    .select(['id', 'variantId', 'lotNumber', 'quantity'])
    .where(isOneOf(db, 'variant_id', ids))
    .where('status', '=', 'available')
    .orderBy('id')
    .execute()
  const lotsOf = groupBy(lots, ({ variantId }) => variantId)
  const stocked = variants.map(({ id, stockQuantity, deletedAt, onSaleUntracked }) => {
    const own = lotsOf.get(id) ?? []
    lotsOf.delete(id)
    return {
      variantId: id,
      isOnSaleUntracked: onSaleUntracked === 1,
      loose: deletedAt === null ? stockQuantity - own.reduce((sum, lot) => sum + lot.quantity, 0) : 0,
      lots: own,
    }
  })
  // A lot that is sold out is held too: cancelled units would return to it.
  const soldOut = [...lotsOf].map(([variantId, own]) => ({
    variantId,
    isOnSaleUntracked: false,
    loose: 0,
    lots: own,
  }))
  return [...stocked, ...soldOut]
}

type RecalledVariant = { variantId: string; recallId: string }

/** Labeler and product. A recall of all packages of a product names the start of their NDC. */
const productNdcDigits = 9
/** The character that follows 9, so that a range has all texts that continue with digits. */
const afterDigits = ':'

const variantPrefix = variantCode('')
/** Of "din:" and "upc:", which name the kind of an identifier. */
const itemPrefixLength = 4

/** Whether the variant `v` is on sale without a count of its units. */
const isOnSaleUntracked = sql<boolean>`(v.in_stock and not v.track_inventory and v.deleted_at is null)`

/**
 * The variants that a recall names and that have stock, or are on sale without a count of it, each
 * with the recall. A cross join keeps the order of the tables on SQLite: recalls name a few
 * thousand packages, and a catalog may have a million. The stock is a subquery of its own, because
 * Postgres would join it by reading all variants.
 */
export async function listRecalledVariantIds(db: Db): Promise<RecalledVariant[]> {
  // SQLite takes the kind for selective: it would build an index by kind, and read all identifiers
  // for each recall. Postgres plans by the bare column only.
  const kind = getEngine(db) === 'sqlite' ? sql`+i.kind` : sql`i.kind`
  const { rows } = await sql<RecalledVariant>`
    select variant_id, recall_id from (
      select p.recall_id, i.variant_id
      from care_recall_packages p cross join variant_identifiers i
      where i.kind = 'ndc-11' and i.value = p.ndc
      union
      select p.recall_id, i.variant_id
      from care_recall_packages p cross join variant_identifiers i
      where length(p.ndc) = ${sql.lit(productNdcDigits)} and ${kind} = 'ndc-11'
        and i.value > p.ndc and i.value < p.ndc || ${sql.lit(afterDigits)}
      union
      select p.recall_id, i.variant_id
      from care_recall_packages p cross join variant_identifiers i
      where ((p.ndc > 'din:' and p.ndc < 'din:~') or (p.ndc > 'upc:' and p.ndc < 'upc:~'))
        and i.value = substr(p.ndc, ${sql.lit(itemPrefixLength + 1)})
        and i.kind = substr(p.ndc, 1, ${sql.lit(itemPrefixLength - 1)})
      union
      select p.recall_id, substr(p.ndc, ${sql.lit(variantPrefix.length + 1)}) as variant_id
      from care_recall_packages p
      where p.ndc > ${sql.lit(variantPrefix)} and p.ndc < ${sql.lit(variantPrefix)} || '~'
    ) named
    where (
      select v.stock_quantity > 0 or v.has_lots or ${isOnSaleUntracked}
      from product_variants v where v.id = named.variant_id
    )`.execute(db)
  return [...rows, ...(await listAmbiguous(db))]
}

/** Those whose NDC is ten bare digits, which have no single entry among the identifiers. */
async function listAmbiguous(db: Db): Promise<RecalledVariant[]> {
  const variants = await db
    .selectFrom('productVariants as v')
    .select(['v.id', 'v.ndc'])
    // Repeats the condition of the partial index of migration 0057.
    .where(sql<boolean>`length(trim(ndc)) = 10 and ndc not like '%-%'`)
    .where((eb) => eb.or([eb('stockQuantity', '>', 0), eb('hasLots', '=', true), isOnSaleUntracked]))
    .execute()
  if (variants.length === 0) return []
  const packages = await db
    .selectFrom('careRecallPackages')
    .select(['ndc', 'recallId'])
    .where(isOneOf(db, 'ndc', sql`${JSON.stringify(variants.flatMap(({ ndc }) => listNdcCodes(ndc)))}`))
    .execute()
  const recallsOf = groupBy(packages, ({ ndc }) => ndc)
  return variants.flatMap(({ id, ndc }) => {
    const recallIds = listNdcCodes(ndc).flatMap(
      (code) => recallsOf.get(code)?.map(({ recallId }) => recallId) ?? [],
    )
    return [...new Set(recallIds)].map((recallId) => ({ variantId: id, recallId }))
  })
}

/** Adds units to those that a recall holds. */
export async function addRecallHold(
  db: Db,
  hold: { recallId: string; variantId: string; units: number },
): Promise<void> {
  await db
    .insertInto('recallHolds')
    .values(hold)
    .onConflict((conflict) =>
      conflict
        .columns(['recallId', 'variantId'])
        .doUpdateSet((eb) => ({ units: eb('recallHolds.units', '+', hold.units) })),
    )
    .execute()
}

export const listRecallHolds = (db: Db, recallId: string) =>
  db.selectFrom('recallHolds').selectAll().where('recallId', '=', recallId).execute()

type HeldUnits = { recallId: string; variantId: string; held: number; quantity: number }

/** Ends a hold, or a part of it. Returns false when another process ended or changed it. */
export async function endRecallHold(
  db: Db,
  { recallId, variantId, held, quantity }: HeldUnits,
): Promise<boolean> {
  if (quantity > held) return false
  if (quantity === held) {
    const ended = await db
      .deleteFrom('recallHolds')
      .where('recallId', '=', recallId)
      .where('variantId', '=', variantId)
      .where('units', '=', held)
      .executeTakeFirst()
    return ended.numDeletedRows === 1n
  }
  const reduced = await db
    .updateTable('recallHolds')
    .set({ units: held - quantity })
    .where('recallId', '=', recallId)
    .where('variantId', '=', variantId)
    .where('units', '=', held)
    .executeTakeFirst()
  return reduced.numUpdatedRows === 1n
}

export async function insertRecallHoldEvent(
  db: Db,
  event: Insertable<Schema['recallHoldEvents']>,
): Promise<void> {
  await db.insertInto('recallHoldEvents').values(event).execute()
}

/** The event with this id, or null. */
export async function findRecallHoldEvent(db: Db, id: string) {
  const event = await db.selectFrom('recallHoldEvents').selectAll().where('id', '=', id).executeTakeFirst()
  return event ?? null
}

/**
 * What became of the units that a recall held, newest first. The id's time can be when the form was
 * opened.
 */
export const listRecallHoldEvents = (db: Db, recallId: string) =>
  db
    .selectFrom('recallHoldEvents')
    .selectAll()
    .where('recallId', '=', recallId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
