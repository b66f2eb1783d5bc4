import {
  deleteReminder,
  findReminderUser,
  hasReminder,
  insertReminder,
} from '#db/reminders/refill-reminders.ts'
import { AppError } from '#domain/errors.ts'
import { unknownLinkMessage } from '#domain/reminders/reminders.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { hashToken } from '../crypto/tokens.ts'
import { requireUser } from '../require-user.ts'
import { reminderToken } from './reminder-token.ts'

/** Earlier than any check for refills. */
const never = new Date(0)

/** Whether the signed-in customer wants refill reminders. Throws UNAUTHENTICATED. */
export const wantsReminders = (ctx: Context): Promise<boolean> => hasReminder(ctx.db, requireUser(ctx).id)

/** Turns the signed-in customer's refill reminders on or off. Throws UNAUTHENTICATED. */
export async function setReminders(ctx: Context, isOn: boolean): Promise<void> {
  const { id: userId } = requireUser(ctx)
  await inTransaction(ctx, async (ctx) => {
    const row = {
      userId,
      tokenHash: hashToken(reminderToken(ctx.keys, userId)),
      createdAt: ctx.now,
      checkedAt: never,
    }
    const isChanged = isOn ? await insertReminder(ctx.db, row) : await deleteReminder(ctx.db, userId)
    if (!isChanged) return
    await recordAudit(ctx, {
      action: isOn ? 'reminders.turned-on' : 'reminders.turned-off',
      subjectId: userId,
    })
  })
}

/** Whether a link of an email turns reminders off. Changes nothing: email scanners open links. */
export const isReminderLink = async (ctx: Context, token: string): Promise<boolean> =>
  (await findReminderUser(ctx.db, hashToken(token))) !== null

/**
 * Turns reminders off by the link of an email, without signing in. Throws NOT_FOUND when the link
 * matches none.
 */
export async function stopReminders(ctx: Context, { token }: { token: string }): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const userId = await findReminderUser(ctx.db, hashToken(token))
    if (userId === null || !(await deleteReminder(ctx.db, userId)))
      throw new AppError('NOT_FOUND', unknownLinkMessage)
    // Anyone who reads the mailbox can open the link.
    await recordAudit(ctx, { action: 'reminders.turned-off', subjectId: userId, actorId: null })
  })
}
