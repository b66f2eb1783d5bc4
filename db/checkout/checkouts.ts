import type { CheckoutStatus } from '#domain/checkout/checkout.ts'
import { sql, type Selectable } from 'kysely'
import { getEngine, prepareQuery, type Db, type Params } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'
import { timestamp } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'

export type CheckoutRow = Selectable<Schema['checkouts']>

const insert = prepareQuery((db, p: Params<CheckoutRow>) =>
  db
    .insertInto('checkouts')
    .values({
      id: p.id,
      userHash: p.userHash,
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
        .column('userHash')
        .where(sql<boolean>`status = 'open'`)
        .doNothing(),
    )
    .returning('id'),
)

/** Stores an open checkout. Returns false when the user already has an open checkout. */
export const insertCheckout = async (db: Db, row: CheckoutRow): Promise<boolean> =>
  (await insert(db, row)).length > 0

const openCheckoutByUser = prepareQuery((db, p: Params<{ userHash: string }>) =>
  db
    .selectFrom('checkouts')
    .selectAll()
    .where('userHash', '=', p.userHash)
    // A literal that matches the partial index. With a parameter Postgres replans every query.
    .where(sql<boolean>`status = 'open'`),
)

/** The open checkout of a customer, or null. */
export async function findOpenCheckout(db: Db, userHash: string): Promise<CheckoutRow | null> {
  const [row] = await openCheckoutByUser(db, { userHash })
  return row ?? null
}

const byPayment = prepareQuery((db, p: Params<{ paymentId: string }>) =>
  db.selectFrom('checkouts').selectAll().where('paymentId', '=', p.paymentId),
)

/** The checkout that a payment is for, or null when the payment is not ours. */
export async function findCheckoutByPayment(db: Db, paymentId: string): Promise<CheckoutRow | null> {
  const [row] = await byPayment(db, { paymentId })
  return row ?? null
}

/** The checkout of a hosted payment page, or null. */
export async function findCheckoutBySession(db: Db, sessionId: string): Promise<CheckoutRow | null> {
  const row = await db
    .selectFrom('checkouts')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .executeTakeFirst()
  return row ?? null
}

/** Any user's checkout, or null. */
export async function findCheckout(db: Db, id: string): Promise<CheckoutRow | null> {
  const row = await db.selectFrom('checkouts').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

const updatePayment = prepareQuery(
  (db, p: Params<{ id: string; paymentId: string | null; sessionId: string | null; now: Date }>) =>
    db
      .updateTable('checkouts')
      .set({ paymentId: p.paymentId, sessionId: p.sessionId, updatedAt: p.now })
      .where('id', '=', p.id)
      .where('status', '=', 'open')
      .where((eb) => eb.or([eb('paymentId', 'is', null), eb('paymentId', '=', p.paymentId)]))
      .where((eb) => eb.or([eb('sessionId', 'is', null), eb('sessionId', '=', p.sessionId)]))
      .returning('id'),
)

/**
 * Records the payment or hosted page of an open checkout. Returns false when the checkout is no
 * longer open, or has another payment or page, which the customer may pay: the caller must cancel
 * its own.
 */
export const setCheckoutPayment = async (
  db: Db,
  values: { id: string; paymentId: string | null; sessionId: string | null; now: Date },
): Promise<boolean> => (await updatePayment(db, values)).length > 0

/** Replaces the frozen content of an open checkout: same lines, another address or prescription. */
export async function updateCheckoutContent(
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

/** Replaces the sealed content of a checkout, whatever its status. */
export async function replaceCheckoutContent(
  db: Db,
  { id, sealedFrozen }: Pick<CheckoutRow, 'id' | 'sealedFrozen'>,
): Promise<void> {
  await db.updateTable('checkouts').set({ sealedFrozen }).where('id', '=', id).execute()
}

type StatusChange = {
  id: string
  from: CheckoutStatus
  to: CheckoutStatus
  /** When the reconciler checks it next; null when it is final. */
  checkAt: Date | null
  now: Date
}
const changeStatus = prepareQuery((db, p: Params<StatusChange>) =>
  db
    .updateTable('checkouts')
    .set({ status: p.to, checkAt: p.checkAt, updatedAt: p.now })
    .where('id', '=', p.id)
    .where('status', '=', p.from)
    .returning('id'),
)

/** Changes a checkout's status and locks its row. Returns false when its status is not `from`. */
export const updateCheckoutStatus = async (db: Db, values: StatusChange): Promise<boolean> =>
  (await changeStatus(db, values)).length > 0

type UnpaidCheckout = Pick<CheckoutRow, 'id' | 'status' | 'paymentId' | 'sessionId'>
const cancel = prepareQuery((db, p: Params<UnpaidCheckout & { now: Date }>) =>
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
 * Cancels a checkout and locks its row. Returns false when its status or its payment has changed
 * since it was read: the new payment could still succeed, and the reconciler would never check it.
 */
export const cancelCheckout = async (
  db: Db,
  { id, status, paymentId, sessionId }: UnpaidCheckout,
  now: Date,
): Promise<boolean> => (await cancel(db, { id, status, paymentId, sessionId, now })).length > 0

const dueCheckouts = (db: Db, now: Date) =>
  db.selectFrom('checkouts').selectAll().where('checkAt', '<=', now).orderBy('checkAt').orderBy('id')

/**
 * Claims checkouts that are due for a check. No other process gets them before `nextAt`, or before
 * they expire when that is earlier.
 */
export async function claimCheckouts(
  db: Db,
  { now, nextAt, limit }: { now: Date; nextAt: Date; limit: number },
): Promise<CheckoutRow[]> {
  // Usually none is due. Checking without a transaction keeps SQLite's only writer free.
  if (!(await dueCheckouts(db, now).limit(1).executeTakeFirst())) return []
  return db.transaction().execute(async (tx) => {
    let query = dueCheckouts(tx, now).limit(limit)
    if (getEngine(tx) === 'postgres') query = query.forUpdate().skipLocked()
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

/** Deletes checkouts that were cancelled before this time. */
export async function deleteCancelledCheckouts(db: Db, { before }: { before: Date }): Promise<void> {
  await db
    .deleteFrom('checkouts')
    .where('status', '=', sql.lit('cancelled'))
    .where('updatedAt', '<', before)
    .execute()
}

/** What a checkout needs to know about a variant, and what an order keeps of it. */
const selectOffers = prepareQuery((db, p: Params<{ ids: string }>) =>
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
      'productVariants.hasLots',
      'productVariants.brandName',
      'productVariants.genericName',
      'productVariants.strength',
      'productVariants.strengthUnit',
      'productVariants.dosageForm',
      'productVariants.packageSize',
      'productVariants.packageUnit',
      'productVariants.labelStrength',
      'productVariants.labelForm',
      'products.id as productId',
      'products.name as productName',
      'products.category as productCategory',
      'products.controlledSchedule',
      'products.ingredients',
      'products.route',
    ])
    .where(isOneOf(db, 'product_variants.id', p.ids))
    .where('productVariants.deletedAt', 'is', null)
    .where('products.deletedAt', 'is', null),
)

export type OfferRow = Awaited<ReturnType<typeof selectOffers>>[number]

/** Those of these variants that are still on sale, in no order. */
export const listOffers = (db: Db, variantIds: readonly string[]): Promise<OfferRow[]> =>
  selectOffers(db, { ids: JSON.stringify(variantIds) })

/**
 * Checkouts from before migration 0027, whose customer is not sealed yet. An id is shorter than a
 * hash.
 */
export const listCheckoutsToSeal = (db: Db, limit: number): Promise<CheckoutRow[]> =>
  db
    .selectFrom('checkouts')
    .selectAll()
    // Repeats the condition of the partial index of migration 0061.
    .where(sql<boolean>`length(user_hash) = 36`)
    .limit(limit)
    .execute()

/** Replaces the customer's id of an earlier checkout, if it has not changed since it was read. */
export async function sealCheckoutCustomer(
  db: Db,
  { id, sealedFrozen, userHash }: Pick<CheckoutRow, 'id' | 'sealedFrozen' | 'userHash'>,
  from: CheckoutRow,
): Promise<void> {
  await db
    .updateTable('checkouts')
    .set({ sealedFrozen, userHash })
    .where('id', '=', id)
    .where('sealedFrozen', '=', from.sealedFrozen)
    .execute()
}
