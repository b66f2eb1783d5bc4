import { listKeys as listRows } from '#db/api-keys/api-keys.ts'
import { permissionsOfKey } from '#domain/api-keys/creator-permissions.ts'
import { keyStatus, type KeyStatus } from '#domain/api-keys/key-input.ts'
import type { SessionRules } from '../accounts/session-rules.ts'
import { formerStaff, getStaffNames } from '../accounts/get-staff-names.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'

/** Whether a key works now, for the page that lists it. */
export type ListedStatus = KeyStatus | 'limited' | 'refused'

/**
 * The keys without their hashes, and what each can do now. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function listKeys(ctx: Context, rules: Pick<SessionRules, 'requireAdminMfa'>) {
  requirePermission(ctx, 'settings.write')
  const rows = await listRows(ctx.db)
  const names = await getStaffNames(
    ctx,
    rows.map(({ createdBy }) => createdBy),
  )
  return rows.map(({ keyHash: _secret, createdBy, revokedAt, creator, ...row }) => {
    const working = permissionsOfKey({ ...row, creator }, rules)
    const status = keyStatus({ ...row, revokedAt }, ctx.now)
    return {
      ...row,
      permissions: row.permissions.map((name) => ({ name, isHeld: working?.includes(name) ?? false })),
      createdBy: names.get(createdBy) ?? formerStaff,
      status: status === 'active' ? limitStatus(row.permissions.length, working?.length) : status,
    }
  })
}

/** @param working how many of the given permissions work; undefined when every call is refused */
function limitStatus(given: number, working: number | undefined): ListedStatus {
  if (working === undefined) return 'refused'
  return working < given ? 'limited' : 'active'
}
export type ListedKey = Awaited<ReturnType<typeof listKeys>>[number]
