import { deleteKnownDevices } from '#db/accounts/known-devices.ts'
import { deleteAllTokens } from '#db/accounts/one-time-tokens.ts'
import { deleteUserSessions } from '#db/accounts/sessions.ts'
import { replaceCredentials } from '#db/accounts/credentials.ts'
import type { Context } from '../context.ts'
import { recordAccountEvent } from './record-account-event.ts'

/**
 * Gives an account whose address was never confirmed to the owner of the address, who has just
 * proved it. Another person may have created it: their password, identity, second factor, sessions,
 * links and known devices stop working. What the account contains stays, because most customers
 * who never confirmed their address are its owners (docs/decisions/0025-known-devices.md). Call it
 * in the transaction that locked the user's row.
 * @param subjectHash the identity that owns the account now; null when there is none
 */
export async function claimAccount(
  ctx: Context,
  { userId, subjectHash }: { userId: string; subjectHash: string | null },
): Promise<void> {
  const hadFactor = await replaceCredentials(ctx.db, { id: userId, subjectHash, now: ctx.now })
  await deleteUserSessions(ctx.db, { userId })
  await deleteAllTokens(ctx.db, userId)
  await deleteKnownDevices(ctx.db, userId)
  if (hadFactor) {
    await recordAccountEvent(ctx, { action: 'second-factor.turned-off', userId, actorId: null })
  }
}
