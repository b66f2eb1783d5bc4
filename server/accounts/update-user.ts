import { findProfile, findRole } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { ProfileChanges } from '#domain/accounts/profile.ts'
import { recordRead } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { lockActorAndUser, userNotFound } from './lock-actor.ts'
import { openPerson, type Person } from './get-profile.ts'
import { requireAdmin, requireUser } from '../require-user.ts'
import { changeRole } from './set-admin.ts'
import { changePerson } from './update-profile.ts'
import { openUserKey } from '../crypto/user-key.ts'

/** A person, and the version of what was read, which an edit of it names. */
export type EditedUser = { person: Person; version: number }

/** Throws UNAUTHENTICATED, FORBIDDEN, and NOT_FOUND when there is no such user. */
export async function requireUserRow(ctx: Context, id: string): Promise<void> {
  requireAdmin(ctx)
  if (!isId(id) || !(await findRole(ctx.db, id))) throw new AppError('NOT_FOUND', userNotFound)
}

/**
 * Everything that the shop knows of a person but their files, for themself and for admins; the log says that it was read. Another's is
 * missing to everybody else. Throws UNAUTHENTICATED, NOT_FOUND.
 */
export async function readUser(ctx: Context, id: string): Promise<EditedUser> {
  const user = requireUser(ctx)
  if (!isId(id) || (id !== user.id && !user.mayAdminister)) throw new AppError('NOT_FOUND', userNotFound)
  const [row, key] = await Promise.all([findProfile(ctx.db, id), openUserKey(ctx, id)])
  if (!row || !key) throw new AppError('NOT_FOUND', userNotFound)
  await recordRead(ctx, { action: 'profile.read', subjectId: id })
  return { person: openPerson(key, row), version: row.version }
}

/**
 * Changes somebody's profile or role, or both, all or nothing; what is left out stays. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and
 * CONFLICT to an admin about their own role, or with the user as they are when they have changed since.
 * @param version of what was edited; left out by those that know none
 */
export async function editUser(
  ctx: Context,
  id: string,
  {
    isAdmin,
    version,
    ...changes
  }: ProfileChanges & { isAdmin?: boolean | undefined; version?: number | undefined },
): Promise<EditedUser> {
  requireAdmin(ctx)
  const isStale = await inTransaction(ctx, async (ctx) => {
    await lockActorAndUser(ctx, id)
    const before = await findProfile(ctx.db, id)
    if (version !== undefined && before?.version !== version) return true
    if (isAdmin !== undefined) await changeRole(ctx, { userId: id, isAdmin })
    if (Object.keys(changes).length > 0 && !(await changePerson(ctx, id, changes))) {
      throw new AppError('NOT_FOUND', userNotFound)
    }
    return false
  })
  const current = await readUser(ctx, id)
  if (isStale) {
    throw new AppError('CONFLICT', 'Somebody has changed this profile meanwhile.', { current })
  }
  return current
}
