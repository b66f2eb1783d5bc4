import { parseRoles, permissionsOf } from '../accounts/permissions.ts'
import type { KeyPermission } from './key-permissions.ts'

/** What a key depends on in its creator's account. */
export type KeyCreator = { roles: string; suspendedAt: Date | null; totpConfirmedAt: Date | null }

type Rules = { requireAdminMfa: boolean }

/** Whether the creator's roles give nothing until the creator turns on two-step sign-in. */
export const lacksRequiredFactor = (creator: KeyCreator, { requireAdminMfa }: Rules): boolean =>
  requireAdminMfa && creator.totpConfirmedAt === null

/**
 * The permissions that a key has through its creator now, for its calls and for the page that lists
 * it; null when every call is refused, because the creator is suspended or deleted.
 */
export function permissionsOfKey(
  { permissions, creator }: { permissions: readonly KeyPermission[]; creator: KeyCreator | null },
  rules: Rules,
): KeyPermission[] | null {
  if (creator === null || creator.suspendedAt !== null) return null
  const held = lacksRequiredFactor(creator, rules) ? [] : permissionsOf(parseRoles(creator.roles))
  return permissions.filter((given) => held.includes(given))
}
