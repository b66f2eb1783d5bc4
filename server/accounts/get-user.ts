import type { ProfileRow } from '#db/accounts/users.ts'
import type { PersonName } from '#domain/accounts/accounts.ts'
import type { SavedAddress } from '#domain/accounts/addresses.ts'
import { can, parseRoles, type Role } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openAddresses } from './list-addresses.ts'
import { userNotFound } from './lock-actor.ts'
import { openPerson, type Person } from './get-profile.ts'
import { requireRecordAccess } from './record-access.ts'
import { requirePermission, requireUser } from '../require-user.ts'
import { openEmail, openName } from './sealed-user.ts'
import { findUser } from './find-user.ts'

/** A user's identity, without health data. */
export type UserHeader = PersonName &
  Pick<Person, 'id' | 'email' | 'createdAt' | 'hasIdDocument'> & { roles: Role[]; isSuspended: boolean }

/** The user's row and key. Throws NOT_FOUND. */
async function loadUser(ctx: Context, id: string): Promise<{ row: ProfileRow; key: KeyRing }> {
  const user = await findUser(ctx, id)
  if (!user) throw new AppError('NOT_FOUND', userNotFound)
  return user
}

/**
 * The header of a user's admin page, for staff who may find customers or read health data. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, REASON_REQUIRED.
 */
export async function getUserHeader(ctx: Context, id: string): Promise<UserHeader> {
  if (!can(requireUser(ctx), 'customers.read')) requirePermission(ctx, 'health.read')
  const { row, key } = await loadUser(ctx, id)
  if (!can(ctx.user, 'customers.read')) await requireRecordAccess(ctx, id)
  const { createdAt, idDocumentFileId, suspendedAt } = row
  return {
    id,
    email: openEmail(key, row),
    ...openName(key, row),
    roles: parseRoles(row.roles),
    createdAt,
    hasIdDocument: idDocumentFileId !== null,
    isSuspended: suspendedAt !== null,
  }
}

/** The phone numbers of a user's profile, without health data. The read is audited. */
export async function getUserContact(
  ctx: Context,
  id: string,
): Promise<Pick<Person, 'cellPhone' | 'homePhone'>> {
  if (!can(requireUser(ctx), 'customers.read')) requirePermission(ctx, 'health.read')
  const { row, key } = await loadUser(ctx, id)
  await recordRead(ctx, { action: 'profile.read', subjectId: id })
  const { cellPhone, homePhone } = openPerson(key, row)
  return { cellPhone, homePhone }
}

/** A user's profile addresses and saved order addresses, for staff. The read is audited. */
export async function getUserAddresses(
  ctx: Context,
  id: string,
): Promise<{ person: Person; saved: SavedAddress[] }> {
  requirePermission(ctx, 'customers.read')
  const { row, key } = await loadUser(ctx, id)
  await recordRead(ctx, { action: 'addresses.read', subjectId: id })
  return { person: openPerson(key, row), saved: await openAddresses(ctx, key, id) }
}
