import { findProfile, lockUser, saveProfile } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { changeProfile, type ProfileChanges } from '#domain/accounts/profile.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { phoneHash } from './create-user.ts'
import { indexPerson } from './find-customers.ts'
import { openPerson, type Person } from './get-profile.ts'
import { requireUser } from '../require-user.ts'
import { openEmail, openName, openProfile, sealName, sealProfile } from './sealed-user.ts'
import { openUserKey } from '../crypto/user-key.ts'

/**
 * Changes what was said of the signed-in user's own profile and nothing else of it; of two at once neither loses what the other
 * changed. Returns the profile as it is then. Throws UNAUTHENTICATED when nobody is signed in.
 */
export async function updateProfile(ctx: Context, changes: ProfileChanges): Promise<Person> {
  const { id } = requireUser(ctx)
  return inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, id)
    const changed = await changePerson(ctx, id, changes)
    // Deleted since the session was read.
    if (!changed) throw new AppError('UNAUTHENTICATED')
    return changed
  })
}

/** Changes somebody's profile, in the transaction that took the row. Null when the user is gone. */
export async function changePerson(
  ctx: Context,
  id: string,
  changes: ProfileChanges,
): Promise<Person | null> {
  const row = await findProfile(ctx.db, id)
  const key = await openUserKey(ctx, id)
  if (!row || !key) return null
  const { firstName, lastName, ...profile } = changeProfile(
    { ...openName(key, row), ...openProfile(key, row) },
    changes,
  )
  const saved = {
    sealedName: sealName(key, id, { firstName, lastName }),
    sealedProfile: sealProfile(key, id, profile),
  }
  await saveProfile(ctx.db, {
    id,
    ...saved,
    cellPhoneHash: phoneHash(ctx, profile.cellPhone),
    updatedAt: ctx.now,
  })
  await indexPerson(ctx, { id, email: openEmail(key, row), firstName, lastName })
  await recordAudit(ctx, { action: 'profile.updated', subjectId: id })
  return openPerson(key, { ...row, ...saved })
}
