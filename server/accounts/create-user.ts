import { deleteUserKey } from '#db/crypto/keys.ts'
import { insertUser } from '#db/accounts/users.ts'
import { emptyProfile, type PersonName, type Profile } from '#domain/accounts/accounts.ts'
import { formatRoles, type Role } from '#domain/accounts/permissions.ts'
import { newId } from '#domain/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { hashEmail, hashPhone } from './blind-indexes.ts'
import { indexPerson } from './find-customers.ts'
import { sealEmail, sealName, sealProfile } from './sealed-user.ts'
import { createUserKey } from '../crypto/user-key.ts'

export type NewUser = PersonName & {
  email: string
  /** argon2id hash in PHC form; null when an identity provider signs the user in. */
  passwordHash: string | null
  oidcSubjectHash?: string | null
  roles?: readonly Role[]
  emailConfirmed?: boolean
  profile?: Partial<Profile>
}

/**
 * Creates an account with its own encryption key, in one transaction. Returns its id, or null when
 * the email address already has an account.
 * @param afterInsert runs in the same transaction
 */
export async function createUser(
  ctx: Context,
  user: NewUser,
  afterInsert?: (ctx: Context, userId: string) => Promise<void>,
): Promise<string | null> {
  const id = newId(ctx.now.getTime())
  return inTransaction(ctx, async (ctx) => {
    const key = await createUserKey(ctx, id)
    const profile = { ...emptyProfile, ...user.profile }
    const isNew = await insertUser(ctx.db, {
      id,
      emailHash: hashEmail(ctx, user.email),
      cellPhoneHash: hashPhone(ctx, profile.cellPhone),
      sealedEmail: sealEmail(key, id, user.email),
      sealedName: sealName(key, id, user),
      sealedProfile: sealProfile(key, id, profile),
      passwordHash: user.passwordHash,
      oidcSubjectHash: user.oidcSubjectHash ?? null,
      roles: formatRoles(user.roles ?? []),
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
    await afterInsert?.(ctx, id)
    return id
  })
}
