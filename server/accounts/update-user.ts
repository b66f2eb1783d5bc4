import { findProfile, findRole } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import { isId } from '#domain/ids.ts'
import type { ProfileChanges } from '#domain/accounts/profile.ts'
import { recordRead } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { lockActorAndUser, userNotFound } from './lock-actor.ts'
import { openPerson, type Person } from './get-profile.ts'
import { notTheirs } from '../note-refusal.ts'
import { requireAdmin, requireUser } from '../require-user.ts'
import { changeRole } from './set-admin.ts'
import { updatePerson } from './update-profile.ts'
import { findUser } from './find-user.ts'

/** A person and the row's version, which an edit sends back. */
export type UserWithVersion = { person: Person; version: number }

/**
 * Checks that the caller is an admin and the user exists. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND.
 */
export async function requireUserExists(ctx: Context, id: string): Promise<void> {
  requireAdmin(ctx)
  if (!isId(id) || !(await findRole(ctx.db, id))) throw new AppError('NOT_FOUND', userNotFound)
}

/**
 * Everything the shop stores about a person, except their files, for that person or an admin. The
 * read is audited. Throws UNAUTHENTICATED, and NOT_FOUND also for any other user.
 */
export async function getUser(ctx: Context, id: string): Promise<UserWithVersion> {
  const user = requireUser(ctx)
  const isVisible = id === user.id || user.canAdminister
  if (!isVisible) throw notTheirs(ctx, id, userNotFound)
  const found = await findUser(ctx, id)
  if (!found) throw new AppError('NOT_FOUND', userNotFound)
  await recordRead(ctx, { action: 'profile.read', subjectId: id })
  return { person: openPerson(found.key, found.row), version: found.row.version }
}

/**
 * Updates a user's profile, role or both, in one transaction; fields that are left out stay. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and CONFLICT when an admin changes their own role, or with
 * the current user when the edit is stale.
 * @param version the version that was edited; callers without one leave it out
 */
export async function updateUser(
  ctx: Context,
  id: string,
  {
    isAdmin,
    version,
    ...changes
  }: ProfileChanges & { isAdmin?: boolean | undefined; version?: number | undefined },
): Promise<UserWithVersion> {
  requireAdmin(ctx)
  const isStale = await inTransaction(ctx, async (ctx) => {
    await lockActorAndUser(ctx, id)
    const before = await findProfile(ctx.db, id)
    if (version !== undefined && before?.version !== version) return true
    if (isAdmin !== undefined) await changeRole(ctx, { userId: id, isAdmin })
    if (Object.keys(changes).length > 0 && !(await updatePerson(ctx, id, changes))) {
      throw new AppError('NOT_FOUND', userNotFound)
    }
    return false
  })
  const current = await getUser(ctx, id)
  if (isStale) {
    throw new StaleEditError('This profile has changed since you opened it.', current)
  }
  return current
}
