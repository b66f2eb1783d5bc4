import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { readActivityPage, type ActivityPage } from './list-activity.ts'
import { requireUserExists } from './update-user.ts'

/**
 * A page of a user's sign-in history for an admin, the newest first. The read is audited. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 * @param before a row's id: only rows before it; anything else starts with the newest
 */
export async function listSignIns(
  ctx: Context,
  userId: string,
  { before }: { before: string | null },
): Promise<ActivityPage> {
  await requireUserExists(ctx, userId)
  await recordRead(ctx, { action: 'sign-ins.read', subjectId: userId })
  return readActivityPage(ctx, { subjectId: userId, before, filter: 'sign-ins' })
}
