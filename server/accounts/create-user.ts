import { deleteUserKey } from '#db/crypto/keys.ts'
import { insertUser } from '#db/accounts/users.ts'
import { emailKey, emptyProfile, type PersonName, type Profile } from '#domain/accounts/accounts.ts'
import { newId } from '#domain/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'
import { indexPerson } from './find-customers.ts'
import { sealEmail, sealName, sealProfile } from './sealed-user.ts'
import { makeUserKey } from '../crypto/user-key.ts'

export type NewUser = PersonName & {
  email: string
  /** argon2id in PHC form; null where an identity provider signs in. */
  passwordHash: string | null
  oidcSubjectHash?: string | null
  isAdmin?: boolean
  emailConfirmed?: boolean
  profile?: Partial<Profile>
}

/**
 * Makes an account with a key of its own, all or nothing. Returns its id, or null when the e-mail address has one already.
 * @param also what else is to happen in the same transaction
 */
export async function createUser(
  ctx: Context,
  user: NewUser,
  also?: (ctx: Context, userId: string) => Promise<void>,
): Promise<string | null> {
  const id = newId(ctx.now.getTime())
  return inTransaction(ctx, async (ctx) => {
    const key = await makeUserKey(ctx, id)
    const profile = { ...emptyProfile, ...user.profile }
    const isNew = await insertUser(ctx.db, {
      id,
      emailHash: blindIndex(ctx.keys, 'email', emailKey(user.email)),
      cellPhoneHash: phoneHash(ctx, profile.cellPhone),
      sealedEmail: sealEmail(key, id, user.email),
      sealedName: sealName(key, id, user),
      sealedProfile: sealProfile(key, id, profile),
      passwordHash: user.passwordHash,
      oidcSubjectHash: user.oidcSubjectHash ?? null,
      isAdmin: user.isAdmin ?? false,
      emailConfirmedAt: user.emailConfirmed ? ctx.now : null,
      sealedTotpSecret: null,
      totpConfirmedAt: null,
      totpLastStep: null,
      idDocumentFileId: null,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    if (!isNew) {
      await deleteUserKey(ctx.db, id)
      return null
    }
    await indexPerson(ctx, { id, email: user.email, firstName: user.firstName, lastName: user.lastName })
    await recordAudit(ctx, { action: 'account.created', subjectId: id })
    await also?.(ctx, id)
    return id
  })
}

/** What a cell phone is found by: its digits alone, however they were written. Null when there are none. */
export function phoneHash(ctx: Pick<Context, 'keys'>, phone: string | null): string | null {
  const digits = phone?.replace(/\D/g, '') ?? ''
  return digits === '' ? null : blindIndex(ctx.keys, 'phone', digits)
}
