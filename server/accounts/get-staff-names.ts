import type { Context } from '../context.ts'
import { findUser } from './find-user.ts'
import { readNameOrEmail } from './person-reader.ts'

/** The name of a staff member whose account no longer exists. */
export const formerStaff = 'a former staff member'

/**
 * The names of staff members by user id: the display name, or the email address when there is none.
 * Deleted accounts are left out. Reads one user at a time, so pass only a few ids. The caller
 * checks permissions.
 */
export async function getStaffNames(
  ctx: Pick<Context, 'db' | 'keys'>,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const id of new Set(ids)) {
    if (id === null) continue
    const user = await findUser(ctx, id)
    if (user) names.set(id, readNameOrEmail(user.key, user.row))
  }
  return names
}
