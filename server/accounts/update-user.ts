import { withAdmin } from '#domain/accounts/permissions.ts'
import { findProfile, findRoles } from '#db/accounts/users.ts'
import { can } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import { isId } from '#domain/ids.ts'
import type { ProfileChanges } from '#domain/accounts/profile.ts'
import { recordRead } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { lockActorAndUser, userNotFound } from './lock-actor.ts'
import { openPerson, type Person } from './get-profile.ts'
import { notFoundForUser } from '../note-refusal.ts'
import { requirePermission, requireUser } from '../require-user.ts'
import { requireRecordAccess } from './record-access.ts'
import { changeRoles } from './set-roles.ts'
import { updatePerson } from './update-profile.ts'
import { findUser } from './find-user.ts'

/** A person and the row's version, which an edit sends back. */
export type UserWithVersion = { person: Person; version: number }

/**
 * Checks that the caller is an admin and the user exists. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND.
 */
export async function requireUserExists(ctx: Context, id: string): Promise<void> {
  requirePermission(ctx, 'customers.manage')
  if (!isId(id) || !(await findRoles(ctx.db, id))) throw new AppError('NOT_FOUND', userNotFound)
}

/**
 * Everything the shop stores about a person, except their files, for that person or staff who may
 * read their health data. The read is audited. Throws UNAUTHENTICATED, NOT_FOUND also for any other
 * user, and REASON_REQUIRED.
 */
export async function getUser(ctx: Context, id: string): Promise<UserWithVersion> {
  const user = requireUser(ctx)
  const isVisible = id === user.id || can(user, 'health.read')
  if (!isVisible) throw notFoundForUser(ctx, id, userNotFound)
  const found = await findUser(ctx, id)
  if (!found) throw new AppError('NOT_FOUND', userNotFound)
  await requireRecordAccess(ctx, id)
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
  requirePermission(ctx, 'customers.manage')
  const isStale = await inTransaction(ctx, async (ctx) => {
    await lockActorAndUser(ctx, id, 'customers.manage')
    const before = await findProfile(ctx.db, id)
    if (version !== undefined && before?.version !== version) return true
    if (isAdmin !== undefined) await changeRoles(ctx, { userId: id, edit: withAdmin(isAdmin) })
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
