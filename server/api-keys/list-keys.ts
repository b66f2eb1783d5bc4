import { listKeys as listRows } from '#db/api-keys/api-keys.ts'
import { keyStatus } from '#domain/api-keys/key-input.ts'
import { formerStaff, getStaffNames } from '../accounts/get-staff-names.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'

/** The keys without their hashes. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listKeys(ctx: Context) {
  requirePermission(ctx, 'settings.write')
  const rows = await listRows(ctx.db)
  const names = await getStaffNames(
    ctx,
    rows.map(({ createdBy }) => createdBy),
  )
  return rows.map(({ keyHash: _secret, createdBy, revokedAt, ...row }) => ({
    ...row,
    createdBy: names.get(createdBy) ?? formerStaff,
    status: keyStatus({ ...row, revokedAt }, ctx.now),
  }))
}
export type ListedKey = Awaited<ReturnType<typeof listKeys>>[number]
