import { deleteOneTimeTokens } from '#db/accounts/one-time-tokens.ts'
import { deleteSessionsOf } from '#db/accounts/sessions.ts'
import { dropOwnCredentials, findUserBySubject, linkSubject } from '#db/accounts/users.ts'
import { emailKey } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { emailField } from '#domain/accounts/sign-in.ts'
import { inTransaction, type Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'
import type { Identity } from '../integrations/identity/identity-provider.ts'
import { createUser } from './create-user.ts'
import type { ProvenUser } from './sign-in.ts'

/**
 * The account of somebody whom the identity provider vouches for; the first time one is made. An address that has an account
 * already is that account's when the provider has verified it. Throws FORBIDDEN, in words for them, when it has not, when the
 * account is somebody else's there, or when the provider tells no address.
 */
export async function signInWithIdentity(ctx: Context, identity: Identity): Promise<ProvenUser> {
  const subjectHash = blindIndex(
    ctx.keys,
    'oidc-subject',
    JSON.stringify([identity.issuer, identity.subject]),
  )
  const known = await findUserBySubject(ctx.db, subjectHash)
  if (known) return { userId: known.id, hasSecondFactor: known.totpConfirmedAt !== null }

  const email = emailField.safeParse(identity.email ?? undefined).data
  if (email === undefined) {
    throw new AppError(
      'FORBIDDEN',
      'You were not signed in: whoever signs you in tells us no email address of yours.',
    )
  }
  const made = await createUser(ctx, {
    email,
    firstName: nameOf(identity.firstName),
    lastName: nameOf(identity.lastName),
    passwordHash: null,
    oidcSubjectHash: subjectHash,
    emailConfirmed: identity.isEmailVerified,
  })
  if (made !== null) return { userId: made, hasSecondFactor: false }
  return link(ctx, { subjectHash, email, isVerified: identity.isEmailVerified })
}

async function link(
  ctx: Context,
  { subjectHash, email, isVerified }: { subjectHash: string; email: string; isVerified: boolean },
): Promise<ProvenUser> {
  return inTransaction(ctx, async (ctx) => {
    // Two of the same person's at once: the other one has made the account.
    const same = await findUserBySubject(ctx.db, subjectHash)
    if (same) return { userId: same.id, hasSecondFactor: same.totpConfirmedAt !== null }
    const emailHash = blindIndex(ctx.keys, 'email', emailKey(email))
    const user = isVerified ? await linkSubject(ctx.db, { emailHash, subjectHash, now: ctx.now }) : null
    if (!user) {
      throw new AppError(
        'FORBIDDEN',
        'You were not signed in: your email address has an account here, and whoever signs you in has not verified that the address is yours.',
      )
    }
    if (user.emailConfirmedAt === null) {
      // Whoever made it never showed that the address is theirs: its owner takes it over, and they have no way back in.
      await dropOwnCredentials(ctx.db, { id: user.id, now: ctx.now })
      await deleteSessionsOf(ctx.db, { userId: user.id })
      await deleteOneTimeTokens(ctx.db, { userId: user.id, purpose: 'change-email' })
      return { userId: user.id, hasSecondFactor: false }
    }
    return { userId: user.id, hasSecondFactor: user.totpConfirmedAt !== null }
  })
}

/** A name as a form would take it; one that is none is left out, for it can be written in the profile. */
const nameOf = (name: string | null): string | null =>
  name === null || /\p{Cc}/u.test(name) || name.length > 100 ? null : name.toWellFormed().trim() || null
