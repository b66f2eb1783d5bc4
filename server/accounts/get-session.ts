import { findSession, touchSession } from '#db/accounts/sessions.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { parseRoles, permissionsOf } from '#domain/accounts/permissions.ts'
import type { Context } from '../context.ts'
import { hashToken } from '../crypto/tokens.ts'
import { toAppError } from '../errors.ts'
import { openEmail, openName } from './sealed-user.ts'
import type { SessionRules } from './session-rules.ts'
import { unwrapUserKey } from '../crypto/user-key.ts'

/**
 * A session's last use is written at most this often; otherwise every page view would be a write.
 */
const touchSeconds = 60

/**
 * The user behind a cookie's token. Null when the session is unknown, has expired or was ended.
 * @param options.isBackground whether an open page polls with this request, which does not count as
 * activity: it must not keep its user signed in
 */
export async function getSession(
  ctx: Omit<Context, 'user'>,
  token: string | null,
  rules: SessionRules,
  { isBackground = false }: { isBackground?: boolean } = {},
): Promise<SessionUser | null> {
  if (token === null) return null
  const row = await findSession(ctx.db, { tokenHash: hashToken(token), now: ctx.now })
  if (!row) return null
  const roles = parseRoles(row.roles)
  const idleSeconds = (ctx.now.getTime() - row.lastSeenAt.getTime()) / 1000
  if (idleSeconds > (roles.length > 0 ? rules.staffIdleSeconds : rules.idleSeconds)) return null
  if (idleSeconds > touchSeconds && !isBackground) await recordUse(ctx, row.sessionId)
  const key = unwrapUserKey(ctx, row.id, row.wrappedKey)
  const hasSecondFactor = row.totpConfirmedAt !== null
  return {
    id: row.id,
    sessionId: row.sessionId,
    email: openEmail(key, row),
    ...openName(key, row),
    roles,
    // The session itself must have given the factor: another one may have set it up since.
    permissions: new Set(
      rules.requireAdminMfa && !(hasSecondFactor && row.factorVerifiedAt !== null)
        ? []
        : permissionsOf(roles),
    ),
    hasSecondFactor,
    factorVerifiedAt: row.factorVerifiedAt,
  }
}

/** A full disk must not stop reads. */
async function recordUse(ctx: Omit<Context, 'user'>, id: string): Promise<void> {
  try {
    await touchSession(ctx.db, { id, now: ctx.now })
  } catch (error) {
    if (toAppError(error).code !== 'STORAGE_FULL') throw error
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'session activity not recorded')
  }
}
