import { findUserBySubject, linkSubject } from '#db/accounts/credentials.ts'
import { AppError } from '#domain/errors.ts'
import { emailField } from '#domain/accounts/sign-in.ts'
import { inTransaction, type Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'
import { toAppError } from '../errors.ts'
import type { Identity } from '../integrations/identity/identity-provider.ts'
import { hashEmail } from './blind-indexes.ts'
import { claimAccount } from './claim-account.ts'
import { createUser } from './create-user.ts'
import { recordAccountEvent } from './record-account-event.ts'
import { recordRefusal } from './record-refusal.ts'
import type { VerifiedUser } from './sign-in.ts'

/**
 * The account of a user whom the identity provider has authenticated; the first sign-in creates it.
 * An address that already has an account is linked when the provider has verified the address.
 * Throws FORBIDDEN, with a message for the user, when the provider has not verified it, when the
 * account is linked to another identity, or when the provider sends no address.
 */
export async function signInWithIdentity(ctx: Context, identity: Identity): Promise<VerifiedUser> {
  const subjectHash = blindIndex(
    ctx.keys,
    'oidc-subject',
    JSON.stringify([identity.issuer, identity.subject]),
  )
  const linkedUser = await findUserBySubject(ctx.db, subjectHash)
  if (linkedUser) return { userId: linkedUser.id, hasSecondFactor: linkedUser.totpConfirmedAt !== null }

  const email = emailField.safeParse(identity.email ?? undefined).data
  if (email === undefined) {
    throw new AppError(
      'FORBIDDEN',
      'We couldn’t sign you in. Your sign-in provider didn’t share an email address.',
    )
  }
  const createdId = await createUser(ctx, {
    email,
    firstName: toName(identity.firstName),
    lastName: toName(identity.lastName),
    passwordHash: null,
    oidcSubjectHash: subjectHash,
    emailConfirmed: identity.isEmailVerified,
  })
  if (createdId !== null) return { userId: createdId, hasSecondFactor: false }
  try {
    return await linkIdentity(ctx, { subjectHash, email, isVerified: identity.isEmailVerified })
  } catch (error) {
    if (toAppError(error).code === 'FORBIDDEN') {
      await recordRefusal(ctx, { action: 'sign-in.identity-refused', of: { email }, actorId: null })
    }
    throw error
  }
}

async function linkIdentity(
  ctx: Context,
  { subjectHash, email, isVerified }: { subjectHash: string; email: string; isVerified: boolean },
): Promise<VerifiedUser> {
  return inTransaction(ctx, async (ctx) => {
    // A concurrent sign-in of the same person has created the account.
    const linkedUser = await findUserBySubject(ctx.db, subjectHash)
    if (linkedUser) return { userId: linkedUser.id, hasSecondFactor: linkedUser.totpConfirmedAt !== null }
    const emailHash = hashEmail(ctx, email)
    const user = isVerified ? await linkSubject(ctx.db, { emailHash, subjectHash, now: ctx.now }) : null
    if (!user) {
      throw new AppError(
        'FORBIDDEN',
        'We couldn’t sign you in. Your email address already has an account here, and your sign-in provider hasn’t verified that the address is yours.',
      )
    }
    const event = { userId: user.id, actorId: user.id }
    await recordAccountEvent(ctx, { action: 'sign-in.identity-linked', ...event })
    if (user.emailConfirmedAt === null) {
      await claimAccount(ctx, { userId: user.id, subjectHash })
      await recordAccountEvent(ctx, { action: 'sessions.ended', ...event })
      return { userId: user.id, hasSecondFactor: false }
    }
    return { userId: user.id, hasSecondFactor: user.totpConfirmedAt !== null }
  })
}

/**
 * Normalizes a name as the profile form does. An invalid one is dropped; the user can enter it in
 * the profile.
 */
const toName = (name: string | null): string | null =>
  name === null || /\p{Cc}/u.test(name) || name.length > 100 ? null : name.toWellFormed().trim() || null
