import { findNamedLot, normalizeLotNumber } from '#domain/inventory/lot-fields.ts'
import {
  pickLots,
  type AvailableLot,
  type LotAction,
  type LotDays,
  type LotStatus,
  type LotUnits,
} from '#domain/inventory/lots.ts'
import { sql, type Insertable, type Selectable } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { jsonRows } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'
import type { Schema } from '../schema/schema.ts'

/**
 * Writes lots. Each write follows a write of the variant's stock in the same transaction, which has
 * locked the variant's row: two transactions never write lots of one variant at the same time.
 */

export type LotRow = Selectable<Schema['stockLots']>
export type LotEventRow = Selectable<Schema['lotEvents']>

const selectAvailable = prepareQuery((db, p: Params<{ variantId: string }>) =>
  db
    .selectFrom('stockLots')
    .select(['id', 'lotNumber', 'expiresOn', 'quantity'])
    .where('variantId', '=', p.variantId)
    .where('status', '=', sql.lit('available'))
    .where('quantity', '>', sql.lit(0)),
)

export const listAvailableLots = (db: Db, variantId: string): Promise<AvailableLot[]> =>
  selectAvailable(db, { variantId })

/** Picks lots for units that were deducted from the stock; null when too few are usable. */
export async function pickFromLots(
  db: Db,
  pick: LotDays & { variantId: string; quantity: number; onHand: number },
): Promise<LotUnits[] | null> {
  const picked = pickLots(await listAvailableLots(db, pick.variantId), pick)
  return picked && (await takeFromLots(db, picked)) ? picked : null
}

/** Takes units from available lots. Returns false when one has too few: roll back then. */
export async function takeFromLots(
  db: Db,
  units: readonly Pick<LotUnits, 'lotId' | 'quantity'>[],
): Promise<boolean> {
  if (units.length === 0) return true
  const { rows } = await sql<{ id: string }>`update stock_lots set quantity = stock_lots.quantity - r.units
    from ${unitRows(db, units)}
    where stock_lots.id = r.id and stock_lots.status = 'available' and stock_lots.quantity >= r.units
    returning stock_lots.id`.execute(db)
  return rows.length === units.length
}

/** Returns units to their lots, whatever became of these. Returns the lots. */
export async function returnToLots(
  db: Db,
  units: readonly Pick<LotUnits, 'lotId' | 'quantity'>[],
): Promise<Pick<LotRow, 'id' | 'variantId' | 'lotNumber' | 'status'>[]> {
  if (units.length === 0) return []
  const { rows } = await sql<Pick<LotRow, 'id' | 'variantId' | 'lotNumber' | 'status'>>`
    update stock_lots set quantity = stock_lots.quantity + r.units
    from ${unitRows(db, units)} where stock_lots.id = r.id
    returning stock_lots.id, variant_id, lot_number, status`.execute(db)
  return rows
}

/** One row a lot: an update writes each row only once. */
function unitRows(db: Db, units: readonly Pick<LotUnits, 'lotId' | 'quantity'>[]) {
  const sums = new Map<string, number>()
  for (const { lotId, quantity } of units) sums.set(lotId, (sums.get(lotId) ?? 0) + quantity)
  return jsonRows(
    db,
    [...sums].map(([id, quantity]) => ({ id, units: quantity })),
    { id: 'text', units: 'integer' },
  )
}

type Receipt = Omit<Insertable<Schema['stockLots']>, 'status' | 'version'>

/**
 * Adds units to an available lot, or creates it. Returns null and changes nothing when the lot is
 * not available or has another expiry date.
 */
export async function receiveLot(db: Db, receipt: Receipt): Promise<LotRow | null> {
  const row = await db
    .insertInto('stockLots')
    .values({ ...receipt, status: 'available' })
    .onConflict((conflict) =>
      conflict
        .columns(['variantId', 'lotNumber'])
        .doUpdateSet((eb) => ({ quantity: eb('stockLots.quantity', '+', eb.ref('excluded.quantity')) }))
        .where('stockLots.status', '=', 'available')
        .whereRef('stockLots.expiresOn', '=', 'excluded.expiresOn'),
    )
    .returningAll()
    .executeTakeFirst()
  if (!row) return null
  await db
    .updateTable('productVariants')
    .set({ hasLots: true })
    .where('id', '=', receipt.variantId)
    .where('hasLots', '=', false)
    .execute()
  return row
}

/** A lot by its number, as `findNamedLot` finds it. Only a number of no such row reads them all. */
export async function findLotByNumber(
  db: Db,
  { variantId, lotNumber }: Pick<LotRow, 'variantId' | 'lotNumber'>,
): Promise<LotRow | null> {
  const rows = await db
    .selectFrom('stockLots')
    .selectAll()
    .where('variantId', '=', variantId)
    .where('lotNumber', 'in', [lotNumber, normalizeLotNumber(lotNumber)])
    .execute()
  return findNamedLot(rows, lotNumber) ?? findNamedLot(await listVariantsLots(db, [variantId]), lotNumber)
}

export async function findLot(db: Db, id: string): Promise<LotRow | null> {
  const row = await db.selectFrom('stockLots').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

export const findLots = (db: Db, ids: readonly string[]): Promise<LotRow[]> =>
  db
    .selectFrom('stockLots')
    .selectAll()
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .execute()

/** All lots of these variants. */
export const listVariantsLots = (db: Db, variantIds: readonly string[]): Promise<LotRow[]> =>
  db
    .selectFrom('stockLots')
    .selectAll()
    .where(isOneOf(db, 'variant_id', sql`${JSON.stringify(variantIds)}`))
    .orderBy('expiresOn')
    .orderBy('id')
    .execute()

/** The units in available lots, by variant; variants without such units are missing. */
export async function sumAvailableLots(db: Db, variantIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('stockLots')
    .select((eb) => ['variantId', eb.cast<number>(eb.fn.sum('quantity'), 'integer').as('units')])
    .where(isOneOf(db, 'variant_id', sql`${JSON.stringify(variantIds)}`))
    .where('status', '=', 'available')
    .groupBy('variantId')
    .execute()
  return new Map(rows.map(({ variantId, units }) => [variantId, units]))
}

/**
 * Moves a lot from one status to another. Returns it as it is then; null and changes nothing when
 * it has another status.
 */
export async function setLotStatus(
  db: Db,
  { id, from, to }: { id: string; from: LotStatus; to: LotStatus },
): Promise<LotRow | null> {
  const row = await db
    .updateTable('stockLots')
    .set((eb) => ({ status: to, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Removes units of a lot that is not available from the shelf. Returns false when it has another
 * version or fewer units, or is available.
 */
export async function writeOffUnits(
  db: Db,
  { id, quantity, version }: Pick<LotRow, 'id' | 'quantity' | 'version'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('stockLots')
    .set((eb) => ({ quantity: eb('quantity', '-', quantity), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', version)
    .where('status', '!=', 'available')
    .where('quantity', '>=', quantity)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Available lots that expired before a day, oldest first. */
export const listExpiredLots = (
  db: Db,
  { today, limit }: { today: string; limit: number },
): Promise<Pick<LotRow, 'id' | 'variantId'>[]> =>
  db
    .selectFrom('stockLots')
    .select(['id', 'variantId'])
    .where('status', '=', 'available')
    .where('expiresOn', '<', today)
    .orderBy('expiresOn')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function insertLotEvent(
  db: Db,
  event: {
    id: string
    lotId: string
    action: LotAction
    reason: string | null
    actorId: string | null
    at: Date
    /** How many units were written off. */
    quantity?: number
  },
): Promise<void> {
  await db.insertInto('lotEvents').values(event).execute()
}

/** The event with this id, or null. */
export async function findLotEvent(db: Db, id: string): Promise<LotEventRow | null> {
  return (await db.selectFrom('lotEvents').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** What happened to a lot, newest first. The id’s time can be when the form was opened. */
export const listLotEvents = (db: Db, lotId: string): Promise<LotEventRow[]> =>
  db
    .selectFrom('lotEvents')
    .selectAll()
    .where('lotId', '=', lotId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
