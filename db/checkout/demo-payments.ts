import { sql, type Selectable } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export type DemoPaymentRow = Selectable<Schema['demoPayments']>

const insert = prepareQuery((db, p: Params<DemoPaymentRow>) =>
  db
    .insertInto('demoPayments')
    .values({
      id: p.id,
      idempotencyKey: p.idempotencyKey,
      secret: p.secret,
      checkoutId: p.checkoutId,
      amountCents: p.amountCents,
      status: p.status,
      captureMethod: p.captureMethod,
      createdAt: p.createdAt,
    })
    .onConflict((conflict) => conflict.column('idempotencyKey').doNothing())
    .returning('id'),
)

/** Stores a payment, or returns the existing one with the same idempotency key. */
export async function insertDemoPayment(db: Db, row: DemoPaymentRow): Promise<DemoPaymentRow> {
  if ((await insert(db, row)).length > 0) return row
  return db
    .selectFrom('demoPayments')
    .selectAll()
    .where('idempotencyKey', '=', row.idempotencyKey)
    .executeTakeFirstOrThrow()
}

const paymentWithRefunds = prepareQuery((db, p: Params<{ id: string }>) =>
  db
    .selectFrom('demoPayments')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('demoRefunds')
        .select((eb) =>
          eb.fn
            .coalesce(eb.cast<number>(eb.fn.sum('demoRefunds.amountCents'), 'bigint'), eb.lit(0))
            .as('sum'),
        )
        .where('demoRefunds.paymentId', '=', p.id)
        .as('refundedCents'),
    )
    .where('id', '=', p.id),
)

/** A payment with its refunded amount, or null. */
export async function findDemoPayment(
  db: Db,
  id: string,
): Promise<(DemoPaymentRow & { refundedCents: number }) | null> {
  const [row] = await paymentWithRefunds(db, { id })
  return row ? { ...row, refundedCents: row.refundedCents ?? 0 } : null
}

const updateStatus = prepareQuery(
  (db, p: Params<{ id: string; from: string; to: DemoPaymentRow['status'] }>) =>
    db
      .updateTable('demoPayments')
      .set({ status: p.to })
      .where('id', '=', p.id)
      .where((eb) => eb(eb.ref('status'), '=', p.from as never))
      .returning('id'),
)

/** Changes a payment's status. Returns false when its status is not `from`. */
export async function updateDemoPaymentStatus(
  db: Db,
  { id, from, to }: { id: string; from: DemoPaymentRow['status']; to: DemoPaymentRow['status'] },
): Promise<boolean> {
  return (await updateStatus(db, { id, from, to })).length > 0
}

type Confirmation = { id: string; secret: string; from: 'unpaid' | 'requires_action'; captureBefore: Date }

const status = (value: DemoPaymentRow['status']) => sql.lit(value)

const confirm = prepareQuery((db, p: Params<Confirmation>) =>
  db
    .updateTable('demoPayments')
    .set((eb) => {
      const isManual = eb('captureMethod', '=', sql.lit('manual'))
      return {
        status: eb.case().when(isManual).then(status('authorized')).else(status('succeeded')).end(),
        capturedCents: eb.case().when(isManual).then(sql.lit(0)).else(eb.ref('amountCents')).end(),
        captureBefore: p.captureBefore,
      }
    })
    .where('id', '=', p.id)
    .where('secret', '=', p.secret)
    .where((eb) => eb(eb.ref('status'), '=', p.from as never))
    .returningAll(),
)

/**
 * Charges a payment, or with manual capture authorizes it until `captureBefore`. Returns null when
 * its status is not `from` or the secret is wrong.
 */
export async function payDemoPayment(db: Db, values: Confirmation): Promise<DemoPaymentRow | null> {
  return (await confirm(db, values))[0] ?? null
}

/** Captures an authorized payment. Returns false when it is not authorized for that much. */
export async function captureDemoPayment(
  db: Db,
  { id, amountCents }: { id: string; amountCents: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('demoPayments')
    .set({ status: 'succeeded', capturedCents: amountCents })
    .where('id', '=', id)
    .where('status', '=', 'authorized')
    .where('amountCents', '>=', amountCents)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Stores a refund and returns its id, or the id of the existing refund with the same key. Returns
 * null when the refunds would exceed what was captured.
 */
export async function insertDemoRefund(db: Db, refund: Schema['demoRefunds']): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    // Locks the payment's row, so that refunds of one payment run one at a time.
    const { numUpdatedRows } = await tx
      .updateTable('demoPayments')
      .set({ status: 'succeeded' })
      .where('id', '=', refund.paymentId)
      .where('status', '=', 'succeeded')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return null
    const existing = await tx
      .selectFrom('demoRefunds')
      .select('id')
      .where('idempotencyKey', '=', refund.idempotencyKey)
      .executeTakeFirst()
    if (existing) return existing.id
    const payment = await findDemoPayment(tx, refund.paymentId)
    if (!payment || payment.refundedCents + refund.amountCents > payment.capturedCents) return null
    await tx.insertInto('demoRefunds').values(refund).execute()
    return refund.id
  })
}
