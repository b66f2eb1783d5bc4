import type { Db } from '#db/engine/client.ts'
import type { Context } from '#server/context.ts'
import { processHolds } from '#server/checkout/process-holds.ts'
import { processRefunds } from '#server/checkout/process-refunds.ts'
import { reconcileCheckouts } from '#server/jobs/reconcile-checkouts.ts'
import { unsealMail } from '#server/mail/sealed-mail.ts'
import { testKeys } from './context.ts'

export const stockOf = (db: Db, id: string) =>
  db
    .selectFrom('productVariants')
    .select(['stockQuantity', 'reservedQuantity', 'inStock'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

export const checkoutOf = (db: Db, paymentId: string) =>
  db.selectFrom('checkouts').selectAll().where('paymentId', '=', paymentId).executeTakeFirstOrThrow()

export const countOf = async (
  db: Db,
  table: 'orders' | 'refunds' | 'checkouts' | 'demoRefunds',
): Promise<number> => (await db.selectFrom(table).selectAll().execute()).length

/** The emailed milestones, oldest first. */
export async function milestones(db: Db): Promise<unknown[]> {
  const rows = await db.selectFrom('outbox').select(['id', 'sealedMail']).orderBy('id').execute()
  return rows.map(({ id, sealedMail }) => {
    const mail = unsealMail(testKeys, id, sealedMail ?? '')
    return 'props' in mail && 'milestone' in mail.props ? mail.props.milestone : null
  })
}

/** Runs the shop's own loops at this moment. */
export async function runJobs(ctx: Context, now: Date): Promise<void> {
  const job = { ...ctx, now: () => now }
  const signal = new AbortController().signal
  await reconcileCheckouts(job, ctx, signal)
  await processHolds(job, ctx, signal)
  await processRefunds(job, ctx, signal)
}
