import { sql, type Selectable } from 'kysely'
import { prepared, type Db, type Params } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export type DemoPaymentRow = Selectable<Schema['demoPayments']>

const insert = prepared((db, p: Params<DemoPaymentRow>) =>
  db
    .insertInto('demoPayments')
    .values({
      id: p.id,
      idempotencyKey: p.idempotencyKey,
      secret: p.secret,
      checkoutId: p.checkoutId,
      amountCents: p.amountCents,
      status: p.status,
      createdAt: p.createdAt,
    })
    .onConflict((conflict) => conflict.column('idempotencyKey').doNothing())
    .returning('id'),
)

/** Stores a payment; one of the same key stays as it is. Returns what stands there. */
export async function putDemoPayment(db: Db, row: DemoPaymentRow): Promise<DemoPaymentRow> {
  if ((await insert(db, row)).length > 0) return row
  return db
    .selectFrom('demoPayments')
    .selectAll()
    .where('idempotencyKey', '=', row.idempotencyKey)
    .executeTakeFirstOrThrow()
}

const paymentWithRefunds = prepared((db, p: Params<{ id: string }>) =>
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

/** A payment with what was given back of it, or null. */
export async function findDemoPayment(
  db: Db,
  id: string,
): Promise<(DemoPaymentRow & { refundedCents: number }) | null> {
  const [row] = await paymentWithRefunds(db, { id })
  return row ? { ...row, refundedCents: row.refundedCents ?? 0 } : null
}

const moved = prepared((db, p: Params<{ id: string; from: string; to: DemoPaymentRow['status'] }>) =>
  db
    .updateTable('demoPayments')
    .set({ status: p.to })
    .where('id', '=', p.id)
    .where((eb) => eb(eb.ref('status'), '=', p.from as never))
    .returning('id'),
)

/** Moves a payment from one status to another; false when it stood elsewhere. */
export async function moveDemoPayment(
  db: Db,
  { id, from, to }: { id: string; from: DemoPaymentRow['status']; to: DemoPaymentRow['status'] },
): Promise<boolean> {
  return (await moved(db, { id, from, to })).length > 0
}

const paid = prepared((db, p: Params<{ id: string; secret: string }>) =>
  db
    .updateTable('demoPayments')
    .set({ status: 'succeeded' })
    .where('id', '=', p.id)
    .where('secret', '=', p.secret)
    .where('status', '=', sql.lit('unpaid'))
    .returningAll(),
)

/** Pays what is unpaid; null, and nothing is changed, when it is not, or the secret is another's. */
export async function payDemoPayment(
  db: Db,
  values: { id: string; secret: string },
): Promise<DemoPaymentRow | null> {
  return (await paid(db, values))[0] ?? null
}

/** Stores a refund unless one of its key is there, or more would go back than came. Returns its id, or null when it would. */
export async function putDemoRefund(db: Db, refund: Schema['demoRefunds']): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    // Takes the payment's row: two refunds of one payment come one after the other.
    const { numUpdatedRows } = await tx
      .updateTable('demoPayments')
      .set({ status: 'succeeded' })
      .where('id', '=', refund.paymentId)
      .where('status', '=', 'succeeded')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return null
    const known = await tx
      .selectFrom('demoRefunds')
      .select('id')
      .where('idempotencyKey', '=', refund.idempotencyKey)
      .executeTakeFirst()
    if (known) return known.id
    const payment = await findDemoPayment(tx, refund.paymentId)
    if (!payment || payment.refundedCents + refund.amountCents > payment.amountCents) return null
    await tx.insertInto('demoRefunds').values(refund).execute()
    return refund.id
  })
}
