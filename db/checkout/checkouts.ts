import type { CheckoutStatus } from '#domain/checkout/checkout.ts'
import { sql, type Selectable } from 'kysely'
import { engineOf, prepared, type Db, type Params } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'
import { timestamp } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'

export type CheckoutRow = Selectable<Schema['checkouts']>

const insert = prepared((db, p: Params<CheckoutRow>) =>
  db
    .insertInto('checkouts')
    .values({
      id: p.id,
      userId: p.userId,
      status: p.status,
      paymentId: p.paymentId,
      sessionId: p.sessionId,
      amountCents: p.amountCents,
      sealedFrozen: p.sealedFrozen,
      createdAt: p.createdAt,
      expiresAt: p.expiresAt,
      checkAt: p.checkAt,
      updatedAt: p.updatedAt,
    })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .where(sql<boolean>`status = 'open'`)
        .doNothing(),
    )
    .returning('id'),
)

/** Stores an open checkout. Returns false when its user has another open one. */
export const insertCheckout = async (db: Db, row: CheckoutRow): Promise<boolean> =>
  (await insert(db, row)).length > 0

const openOfUser = prepared((db, p: Params<{ userId: string }>) =>
  db
    .selectFrom('checkouts')
    .selectAll()
    .where('userId', '=', p.userId)
    // In the words of its index: with a parameter Postgres plans it anew each time.
    .where(sql<boolean>`status = 'open'`),
)

/** A user's open checkout, or null. */
export async function findOpenCheckout(db: Db, userId: string): Promise<CheckoutRow | null> {
  const [row] = await openOfUser(db, { userId })
  return row ?? null
}

const byPayment = prepared((db, p: Params<{ paymentId: string }>) =>
  db.selectFrom('checkouts').selectAll().where('paymentId', '=', p.paymentId),
)

/** The checkout that a payment is for, or null when it is none of ours. */
export async function findCheckoutByPayment(db: Db, paymentId: string): Promise<CheckoutRow | null> {
  const [row] = await byPayment(db, { paymentId })
  return row ?? null
}

/** The checkout that is paid on a hosted page, or null. */
export async function findCheckoutBySession(db: Db, sessionId: string): Promise<CheckoutRow | null> {
  const row = await db
    .selectFrom('checkouts')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .executeTakeFirst()
  return row ?? null
}

/** A checkout, whoever's it is, or null. */
export async function findCheckout(db: Db, id: string): Promise<CheckoutRow | null> {
  const row = await db.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

const payment = prepared(
  (db, p: Params<{ id: string; paymentId: string | null; sessionId: string | null; now: Date }>) =>
    db
      .updateTable('checkouts')
      .set({ paymentId: p.paymentId, sessionId: p.sessionId, updatedAt: p.now })
      .where('id', '=', p.id)
      .where('status', '=', 'open')
      .returning('id'),
)

/** Names what an open checkout is paid by. Returns false when it is open no longer: then nobody may pay it. */
export const setPayment = async (
  db: Db,
  values: { id: string; paymentId: string | null; sessionId: string | null; now: Date },
): Promise<boolean> => (await payment(db, values)).length > 0

/** Freezes something else in an open checkout of the same lines: another address or prescription. */
export async function refreeze(
  db: Db,
  { id, sealedFrozen, expiresAt, now }: { id: string; sealedFrozen: string; expiresAt: Date; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('checkouts')
    .set({ sealedFrozen, expiresAt, updatedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type Move = {
  id: string
  from: CheckoutStatus
  to: CheckoutStatus
  /** When it is looked at next; null when nothing can happen any more. */
  checkAt: Date | null
  now: Date
}
const move = prepared((db, p: Params<Move>) =>
  db
    .updateTable('checkouts')
    .set({ status: p.to, checkAt: p.checkAt, updatedAt: p.now })
    .where('id', '=', p.id)
    .where('status', '=', p.from)
    .returning('id'),
)

/** Moves a checkout from one status to another, and takes its row. False when it stands elsewhere by now. */
export const moveCheckout = async (db: Db, values: Move): Promise<boolean> =>
  (await move(db, values)).length > 0

type Unpaid = Pick<CheckoutRow, 'id' | 'status' | 'paymentId' | 'sessionId'>
const cancel = prepared((db, p: Params<Unpaid & { now: Date }>) =>
  db
    .updateTable('checkouts')
    .set({ status: 'cancelled', checkAt: null, updatedAt: p.now })
    .where('id', '=', p.id)
    .where('status', '=', p.status)
    .where('paymentId', 'is not distinct from', p.paymentId)
    .where('sessionId', 'is not distinct from', p.sessionId)
    .returning('id'),
)

/**
 * Moves a checkout to cancelled, and takes its row. False when it stands elsewhere by now, or is paid by something else than what was
 * read: that could still be paid, and nobody would look at it again.
 */
export const cancelCheckout = async (
  db: Db,
  { id, status, paymentId, sessionId }: Unpaid,
  now: Date,
): Promise<boolean> => (await cancel(db, { id, status, paymentId, sessionId, now })).length > 0

const toCheck = (db: Db, now: Date) =>
  db.selectFrom('checkouts').selectAll().where('checkAt', '<=', now).orderBy('checkAt').orderBy('id')

/**
 * Takes checkouts whose time to be looked at has come; nobody else gets them before `nextAt`, or before they lapse when that is
 * earlier.
 */
export async function claimCheckouts(
  db: Db,
  { now, nextAt, limit }: { now: Date; nextAt: Date; limit: number },
): Promise<CheckoutRow[]> {
  // Asked first without a transaction: mostly none is due, and SQLite has one writer.
  if (!(await toCheck(db, now).limit(1).executeTakeFirst())) return []
  return db.transaction().execute(async (tx) => {
    let query = toCheck(tx, now).limit(limit)
    if (engineOf(tx) === 'postgres') query = query.forUpdate().skipLocked()
    const rows = await query.execute()
    if (rows.length > 0) {
      await tx
        .updateTable('checkouts')
        .set({
          checkAt: sql<Date>`case when expires_at > ${timestamp(tx, now)} and expires_at < ${timestamp(tx, nextAt)}
            then expires_at else ${timestamp(tx, nextAt)} end`,
        })
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute()
    }
    return rows
  })
}

/** Deletes the cancelled ones that nothing has happened to since. */
export async function deleteCancelledCheckouts(db: Db, { before }: { before: Date }): Promise<void> {
  await db.deleteFrom('checkouts').where('status', '=', 'cancelled').where('updatedAt', '<', before).execute()
}

/** What a variant offers to a checkout, and what an order keeps of it. */
const offers = prepared((db, p: Params<{ ids: string }>) =>
  db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .select([
      'productVariants.id',
      'productVariants.priceCents',
      'productVariants.inStock',
      'productVariants.stockQuantity',
      'productVariants.reservedQuantity',
      'productVariants.trackInventory',
      'productVariants.brandName',
      'productVariants.strength',
      'productVariants.strengthUnit',
      'productVariants.dosageForm',
      'productVariants.packageSize',
      'productVariants.packageUnit',
      'products.id as productId',
      'products.name as productName',
      'products.category as productCategory',
      'products.controlledSchedule',
    ])
    .where(isOneOf(db, 'product_variants.id', p.ids))
    .where('productVariants.deletedAt', 'is', null)
    .where('products.deletedAt', 'is', null),
)

export type OfferRow = Awaited<ReturnType<typeof offers>>[number]

/** The live ones of these variants, in no order. */
export const listOffers = (db: Db, variantIds: readonly string[]): Promise<OfferRow[]> =>
  offers(db, { ids: JSON.stringify(variantIds) })
