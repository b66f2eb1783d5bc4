import { findGuards } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { limitRate } from '../limit-rate.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { makeOneTimeToken } from './one-time-token.ts'
import { requireUser } from '../require-user.ts'

/** Mails the link again that confirms an address; the one before works no longer. Throws CONFLICT when it is confirmed, TOO_MANY. */
export async function resendConfirmation(ctx: Context, { origin }: { origin: string }): Promise<void> {
  const user = requireUser(ctx)
  const guards = await findGuards(ctx.db, user.id)
  if (guards?.emailConfirmedAt) throw new AppError('CONFLICT', 'Your email address is confirmed already.')
  await limitRate(ctx, 'reset', `confirm-email ${user.id}`)
  await inTransaction(ctx, async (ctx) => {
    const token = await makeOneTimeToken(ctx, { purpose: 'confirm-email', userId: user.id })
    await queueMail(ctx, {
      to: { address: user.email },
      template: 'confirm-email',
      props: { link: `${origin}/confirm-email?token=${token}` },
    })
  })
}
