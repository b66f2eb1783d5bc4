import { listKeys as listRows } from '#db/api-keys/api-keys.ts'
import {
  lacksRequiredFactor,
  permissionsOfKey,
  type KeyCreator,
} from '#domain/api-keys/creator-permissions.ts'
import { keyStatus } from '#domain/api-keys/key-input.ts'
import type { SessionRules } from '../accounts/session-rules.ts'
import { formerStaff, getStaffNames } from '../accounts/get-staff-names.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'

type Rules = Pick<SessionRules, 'requireAdminMfa'>

/**
 * How the creator's account limits an active key: every call is refused, no permission works
 * without two-step sign-in, or the creator lacks some of the permissions.
 */
export type KeyLimit = 'refused' | 'no-two-step' | 'limited'

/**
 * The keys without their hashes, and what each can do now. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function listKeys(ctx: Context, rules: Rules) {
  requirePermission(ctx, 'settings.write')
  const rows = await listRows(ctx.db)
  const names = await getStaffNames(
    ctx,
    rows.map(({ createdBy }) => createdBy),
  )
  return rows.map(({ keyHash: _secret, createdBy, revokedAt, creator, ...row }) => {
    const working = permissionsOfKey({ ...row, creator }, rules)
    const unavailable = row.permissions.filter((name) => !working?.includes(name))
    const status = keyStatus({ ...row, revokedAt }, ctx.now)
    return {
      ...row,
      createdBy: names.get(createdBy) ?? formerStaff,
      // An open page of the previous release knows these states only: `limit` has the others.
      status,
      limit: status === 'active' ? findLimit(creator, working && unavailable, rules) : null,
      unavailable,
    }
  })
}

/** @param unavailable the key's permissions that don't work; null when every call is refused */
function findLimit(
  creator: KeyCreator | null,
  unavailable: readonly string[] | null,
  rules: Rules,
): KeyLimit | null {
  if (creator === null || unavailable === null) return 'refused'
  if (unavailable.length === 0) return null
  return lacksRequiredFactor(creator, rules) ? 'no-two-step' : 'limited'
}
export type ListedKey = Awaited<ReturnType<typeof listKeys>>[number]
