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
 * How the creator's account restricts an active key: every call is refused, no permission works
 * without two-step sign-in, or the creator lacks some of the permissions.
 */
export type KeyRestriction = 'refused' | 'no-two-step' | 'missing-permissions'

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
      status,
      restriction:
        status === 'active' ? findRestriction({ creator, isRefused: !working, unavailable }, rules) : null,
      unavailable,
    }
  })
}

function findRestriction(
  {
    creator,
    isRefused,
    unavailable,
  }: { creator: KeyCreator | null; isRefused: boolean; unavailable: readonly string[] },
  rules: Rules,
): KeyRestriction | null {
  if (creator === null || isRefused) return 'refused'
  if (unavailable.length === 0) return null
  return lacksRequiredFactor(creator, rules) ? 'no-two-step' : 'missing-permissions'
}
export type ListedKey = Awaited<ReturnType<typeof listKeys>>[number]
