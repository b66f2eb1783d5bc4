import { saveRoles } from '#db/accounts/users.ts'
import { formatRoles, type Role } from '#domain/accounts/permissions.ts'
import type { Context } from '../context.ts'
import { recordAccountEvent } from './record-account-event.ts'

/** Stores an account's roles and records those before and after, in the caller's transaction. */
export async function storeRoles(
  ctx: Context,
  { userId, before, after }: { userId: string; before: readonly Role[]; after: readonly Role[] },
): Promise<void> {
  await saveRoles(ctx.db, userId, after)
  const detail = { rolesBefore: formatRoles(before), rolesAfter: formatRoles(after) }
  await recordAccountEvent(ctx, { action: 'role.changed', userId, detail })
}
