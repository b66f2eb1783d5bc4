import { deleteEntryTokens } from '#db/accounts/one-time-tokens.ts'
import { deleteUserSessions } from '#db/accounts/sessions.ts'
import { findRoles, hasOtherActiveAdmin, setSuspended } from '#db/accounts/users.ts'
import type { AccessChange } from '#domain/accounts/account-access.ts'
import type { AccessResult } from '#domain/accounts/user-rows.ts'
import type { AuditAction } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import { inTransaction, type Context } from '../context.ts'
import { toRowError } from '../grids/to-row-error.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { requirePermission } from '../require-user.ts'
import { deleteSessionsAndSignIns } from './end-session.ts'
import { listTargets, type UserTarget } from './list-targets.ts'
import { lockActorAndUser } from './lock-actor.ts'
import { findEmail } from './person-reader.ts'
import { recordAccountEvent } from './record-account-event.ts'
import { reportCreations } from './report-creations.ts'

/** Admins cannot suspend themselves, so at least one can always sign in. */
export const ownAccessMessage = 'You can’t change access to your own account. Ask another admin.'
const lastAdminMessage = 'This is the last admin who can sign in.'

export type Access = { change: AccessChange; reason: string }

const auditActions = {
  suspend: 'account.suspended',
  restore: 'account.restored',
  'end-sessions': 'sessions.ended',
} as const satisfies Record<AccessChange, AuditAction>

/**
 * Suspends or restores an account, or ends its sessions. A suspended account cannot sign in in any
 * way, and its sessions end at once; its orders go on. The user is notified by email, and the
 * reason is kept for the audit log. Admins get a mail about the API keys and webhooks of an account
 * whose sessions end. Returns false when the account is in that state already. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and CONFLICT for the admin's own account and the last
 * admin.
 */
export async function changeAccess(
  ctx: Context,
  { userId, change, reason }: Access & { userId: string },
): Promise<boolean> {
  const actor = requirePermission(ctx, 'customers.manage')
  if (userId === actor.id) throw new AppError('CONFLICT', ownAccessMessage)
  return inTransaction(ctx, async (ctx) => {
    await lockActorAndUser(ctx, userId, 'customers.manage')
    if (!(await applyChange(ctx, userId, change))) return false
    await recordAccountEvent(ctx, { action: auditActions[change], userId, detail: { reason } })
    if (change !== 'end-sessions') await notifyUser(ctx, userId, change)
    return true
  })
}

async function applyChange(ctx: Context, userId: string, change: AccessChange): Promise<boolean> {
  switch (change) {
    case 'suspend':
      if (await isLastAdmin(ctx, userId)) throw new AppError('CONFLICT', lastAdminMessage)
      if (!(await setSuspended(ctx.db, userId, ctx.now))) return false
      await deleteUserSessions(ctx.db, { userId })
      await deleteEntryTokens(ctx.db, userId)
      await reportCreations(ctx, { userId, event: 'suspended' })
      return true
    case 'restore':
      return setSuspended(ctx.db, userId, null)
    case 'end-sessions':
      await deleteSessionsAndSignIns(ctx, userId)
      await reportCreations(ctx, { userId, event: 'sessions' })
      return true
    default:
      return change satisfies never
  }
}

async function isLastAdmin(ctx: Context, userId: string): Promise<boolean> {
  const roles = await findRoles(ctx.db, userId)
  return roles?.includes('admin') === true && !(await hasOtherActiveAdmin(ctx.db, userId))
}

async function notifyUser(ctx: Context, userId: string, change: 'suspend' | 'restore'): Promise<void> {
  const address = await findEmail(ctx, userId)
  if (address === null) return
  const { supportEmail, publicOrigin } = ctx.shop
  await queueMail(
    ctx,
    change === 'suspend'
      ? { to: { address }, template: 'account-suspended', props: { supportEmail } }
      : { to: { address }, template: 'account-restored', props: { link: publicOrigin + paths.login } },
  )
}

/**
 * The same for several accounts, each in its own transaction. An error is reported with the account
 * it concerns. Throws UNAUTHENTICATED, FORBIDDEN, and INVALID when too many accounts match.
 * @param changeOne `changeAccess`, or a function that checks more
 */
export async function changeAccessOfMany(
  ctx: Context,
  { target, ...access }: Access & { target: UserTarget },
  changeOne = changeAccess,
): Promise<AccessResult[]> {
  requirePermission(ctx, 'customers.manage')
  const results: AccessResult[] = []
  for (const { id, name } of await listTargets(ctx, target)) {
    let isChanged = false
    const change = changeOne(ctx, { userId: id, ...access }).then((changed) => (isChanged = changed))
    const error = await toRowError(ctx, change)
    results.push({ id, name, error, isChanged })
  }
  return results
}
