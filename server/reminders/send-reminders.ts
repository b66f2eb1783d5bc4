import { claimRefillCheck, listDueReminders, markReminded } from '#db/reminders/refill-reminders.ts'
import { paths } from '#domain/paths.ts'
import { serverPaths } from '#domain/server-paths.ts'
import { findEmail } from '../accounts/person-reader.ts'
import { inTransaction, type Context } from '../context.ts'
import { listRefills } from '../dispensing/list-refills.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { reminderToken } from './reminder-token.ts'

const batchSize = 50
/** How often each customer's refills are checked. They open on a day, not at an hour. */
const hoursBetweenChecks = 6

/**
 * Emails customers who asked for it that a refill has opened: once for each refill, and once for
 * refills that open together. Several processes can run it.
 */
export async function sendReminders(ctx: Context, signal: AbortSignal): Promise<void> {
  const before = new Date(ctx.now.getTime() - hoursBetweenChecks * 3_600_000)
  while (!signal.aborted) {
    const userIds = await listDueReminders(ctx.db, { before, limit: batchSize })
    for (const userId of userIds) {
      if (signal.aborted) return
      try {
        await remind(ctx, userId, before)
      } catch (error) {
        // A failure for one customer must not keep the others from their reminders.
        ctx.log.error({ err: error, requestId: ctx.requestId }, 'refill reminder failed')
        await claimRefillCheck(ctx.db, { userId, before, now: ctx.now })
      }
    }
    if (userIds.length < batchSize) return
  }
}

async function remind(ctx: Context, userId: string, before: Date): Promise<void> {
  const open = (await listRefills(ctx, userId)).filter(({ isOpen }) => isOpen)
  const address = await findEmail(ctx, userId)
  await inTransaction(ctx, async (ctx) => {
    if (!(await claimRefillCheck(ctx.db, { userId, before, now: ctx.now })) || address === null) return
    const fillIds = [...new Set(open.map(({ afterFillId }) => afterFillId))].toSorted()
    if ((await markReminded(ctx.db, fillIds, ctx.now)) === 0) return
    await queueMail(ctx, {
      to: { address },
      template: 'refill-reminder',
      props: {
        link: ctx.shop.publicOrigin + paths.prescriptions,
        stopLink: ctx.shop.publicOrigin + serverPaths.stopReminders(reminderToken(ctx.keys, userId)),
      },
    })
  })
}
