import { parseRoles, permissionsOf } from '../accounts/permissions.ts'
import type { KeyPermission } from './key-permissions.ts'

/** What a key depends on in its creator's account. */
export type KeyCreator = { roles: string; suspendedAt: Date | null; totpConfirmedAt: Date | null }

/**
 * The permissions that a key has through its creator now, for its calls and for the page that lists
 * it; null when every call is refused, because the creator is suspended or deleted.
 */
export function permissionsOfKey(
  { permissions, creator }: { permissions: readonly KeyPermission[]; creator: KeyCreator | null },
  { requireAdminMfa }: { requireAdminMfa: boolean },
): KeyPermission[] | null {
  if (creator === null || creator.suspendedAt !== null) return null
  const lacksFactor = requireAdminMfa && creator.totpConfirmedAt === null
  const held = lacksFactor ? [] : permissionsOf(parseRoles(creator.roles))
  return permissions.filter((given) => held.includes(given))
}
