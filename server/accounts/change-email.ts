import { deleteEntryTokens } from '#db/accounts/one-time-tokens.ts'
import { deleteSessionsOf } from '#db/accounts/sessions.ts'
import { changeEmail as saveEmail, findCredentials, findProfile } from '#db/accounts/users.ts'
import { emailKey } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'
import { limitRate } from '../limit-rate.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { indexPerson } from './find-customers.ts'
import { makeOneTimeToken, minutesOf, readOneTimeToken, takeOneTimeToken } from './one-time-token.ts'
import { proveOwner, type Proof } from './verify-owner.ts'
import { requireUser } from '../require-user.ts'
import { openName, sealEmail } from './sealed-user.ts'
import { openUserKey } from '../crypto/user-key.ts'

const hashOf = (ctx: Pick<Context, 'keys'>, email: string): string =>
  blindIndex(ctx.keys, 'email', emailKey(email))

const deadLink = () => new AppError('NOT_FOUND', 'This link works no longer.')

/**
 * Mails a link to a new address, by which it becomes the account's. An address that is somebody's gets none, and is answered in the
 * same way: nobody learns here who has an account. Throws what `proveOwner` throws, INVALID when it is the address already, CONFLICT
 * where an identity provider keeps it, TOO_MANY.
 */
export async function requestEmailChange(
  ctx: Context,
  { email, ...proof }: Proof & { email: string },
  { origin }: { origin: string },
): Promise<void> {
  const user = requireUser(ctx)
  if (emailKey(email) === emailKey(user.email)) {
    const sentence = 'This is your email address already.'
    throw new AppError('INVALID', sentence, { fields: { email: sentence } })
  }
  if ((await proveOwner(ctx, proof)) === null) {
    throw new AppError('CONFLICT', 'Whoever signs you in keeps your email address.')
  }
  await limitRate(ctx, 'reset', `change-email ${user.id}`)
  if (await findCredentials(ctx.db, hashOf(ctx, email))) return
  await inTransaction(ctx, async (ctx) => {
    const token = await makeOneTimeToken(ctx, { purpose: 'change-email', userId: user.id, detail: email })
    await queueMail(ctx, {
      to: { address: email },
      template: 'change-email',
      props: {
        link: `${origin}/account/confirm-new-email?token=${token}`,
        minutes: minutesOf('change-email'),
      },
    })
  })
}

/** The new address behind a link; null when it works no longer, or is not the one of whoever is signed in. */
export async function readEmailChange(ctx: Context, token: string): Promise<string | null> {
  const user = requireUser(ctx)
  const found = await readOneTimeToken(ctx, 'change-email', token)
  return found?.userId === user.id ? found.detail : null
}

/**
 * Makes the address behind a link the account's: every other session and every other link into it ends, and a mail tells it at the
 * old address. The link is good for its own user alone, so one that went to a mistyped address opens nothing there. Throws
 * NOT_FOUND when it works no longer, CONFLICT when the address became somebody else's meanwhile.
 */
export async function confirmEmailChange(
  ctx: Context,
  token: string,
  { supportEmail }: { supportEmail: string },
): Promise<void> {
  const user = requireUser(ctx)
  await inTransaction(ctx, async (ctx) => {
    const taken = await takeOneTimeToken(ctx, 'change-email', token)
    const key = await openUserKey(ctx, user.id)
    if (!key || taken?.userId !== user.id || taken.detail === null) throw deadLink()
    const isFree = await saveEmail(ctx.db, {
      id: user.id,
      emailHash: hashOf(ctx, taken.detail),
      sealedEmail: sealEmail(key, user.id, taken.detail),
      now: ctx.now,
    })
    if (!isFree) throw new AppError('CONFLICT', 'This email address cannot be used.')
    const row = await findProfile(ctx.db, user.id)
    if (row) await indexPerson(ctx, { id: user.id, email: taken.detail, ...openName(key, row) })
    await deleteSessionsOf(ctx.db, { userId: user.id, but: user.sessionId })
    await deleteEntryTokens(ctx.db, user.id)
    await recordAudit(ctx, { action: 'email.changed', subjectId: user.id })
    await queueMail(ctx, {
      to: { address: user.email },
      template: 'email-changed',
      props: { supportEmail },
    })
  })
}
