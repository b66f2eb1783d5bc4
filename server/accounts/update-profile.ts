import { findProfile, lockUser, saveProfile } from '#db/accounts/users.ts'
import { utcDay } from '#domain/days.ts'
import { AppError } from '#domain/errors.ts'
import { applyProfileChanges, type DatedProfileChanges } from '#domain/accounts/profile.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { hashPhone } from './blind-indexes.ts'
import { indexPerson } from './find-customers.ts'
import { openPerson, type Person } from './get-profile.ts'
import { requireUser } from '../require-user.ts'
import { openEmail, openName, openProfile, sealName, sealProfile } from './sealed-user.ts'
import { requestErasure } from '../crypto/request-erasure.ts'
import { openUserKey } from '../crypto/user-key.ts'

/**
 * Updates the given fields of the signed-in user's profile and keeps the rest. Concurrent updates
 * of different fields do not overwrite each other. Returns the updated profile. Throws
 * UNAUTHENTICATED.
 */
export async function updateProfile(ctx: Context, changes: DatedProfileChanges): Promise<Person> {
  const { id } = requireUser(ctx)
  return inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, id)
    const changed = await updatePerson(ctx, id, changes)
    // Deleted since the session was read.
    if (!changed) throw new AppError('UNAUTHENTICATED')
    return changed
  })
}

/**
 * Updates a user's profile, in the transaction that locked the row. Null when the user was deleted.
 */
export async function updatePerson(
  ctx: Context,
  id: string,
  changes: DatedProfileChanges,
): Promise<Person | null> {
  const row = await findProfile(ctx.db, id)
  const key = await openUserKey(ctx, id)
  if (!row || !key) return null
  const { firstName, lastName, ...profile } = applyProfileChanges(
    { ...openName(key, row), ...openProfile(key, row) },
    changes,
    utcDay(ctx.now),
  )
  const saved = {
    sealedName: sealName(key, id, { firstName, lastName }),
    sealedProfile: sealProfile(key, id, profile),
  }
  await saveProfile(ctx.db, {
    id,
    ...saved,
    cellPhoneHash: hashPhone(ctx, profile.cellPhone),
    updatedAt: ctx.now,
  })
  await indexPerson(ctx, { id, email: openEmail(key, row), firstName, lastName })
  await recordAudit(ctx, { action: 'profile.updated', subjectId: id })
  await requestErasure(ctx, 'value')
  return openPerson(key, { ...row, ...saved })
}
