import { findKey, touchKey } from '#db/api-keys/api-keys.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { permissionsOfKey } from '#domain/api-keys/creator-permissions.ts'
import { keyStatus } from '#domain/api-keys/key-input.ts'
import { findKeyCall } from '#domain/api-keys/key-permissions.ts'
import { AppError } from '#domain/errors.ts'
import type { SessionRules } from '../accounts/session-rules.ts'
import type { Context } from '../context.ts'
import { hashToken } from '../crypto/tokens.ts'
import { toAppError } from '../errors.ts'
import { requirePermission } from '../require-user.ts'
import { isWellFormedKey } from './new-key.ts'

/** The last use is written at most this often; otherwise every read would be a write. */
const touchMs = 60_000

/**
 * The user of a request with a key: its creator, with the permissions that both hold now, and with
 * no role. Throws UNAUTHENTICATED for a key that does not work, and FORBIDDEN for a call that
 * accepts no key.
 */
export async function authenticateKey(
  ctx: Omit<Context, 'user'>,
  { key, method, route }: { key: string; method: string; route: string },
  rules: Pick<SessionRules, 'requireAdminMfa'>,
): Promise<SessionUser> {
  if (key === '') throw new AppError('UNAUTHENTICATED', 'The API key is missing.')
  const row = isWellFormedKey(key) ? await findKey(ctx.db, hashToken(key)) : null
  const permissions = row && keyStatus(row, ctx.now) === 'active' ? permissionsOfKey(row, rules) : null
  if (!row || !permissions)
    throw new AppError('UNAUTHENTICATED', 'This API key is unknown, expired or revoked.')
  if (findKeyCall(method, route) === undefined)
    throw new AppError('FORBIDDEN', 'This call does not accept an API key.')
  if (row.lastUsedAt === null || ctx.now.getTime() - row.lastUsedAt.getTime() > touchMs)
    await recordUse(ctx, row.id)
  return {
    id: row.createdBy,
    sessionId: row.id,
    apiKeyId: row.id,
    email: '',
    firstName: row.name,
    lastName: '',
    // Without a role, so that only the permissions below count.
    roles: [],
    permissions: new Set(permissions),
    hasSecondFactor: false,
    factorVerifiedAt: null,
  }
}

/**
 * Requires the permission of a call, also where a person needs none: customers read their own
 * orders. Throws FORBIDDEN.
 */
export function requireKeyPermission(
  ctx: Pick<Context, 'user' | 'refusals'>,
  { method, route }: { method: string; route: string },
): void {
  const permission = ctx.user?.apiKeyId === undefined ? null : findKeyCall(method, route)
  if (permission) requirePermission(ctx, permission)
}

/** A full disk must not stop reads. */
async function recordUse(ctx: Omit<Context, 'user'>, id: string): Promise<void> {
  try {
    await touchKey(ctx.db, { id, now: ctx.now, before: new Date(ctx.now.getTime() - touchMs) })
  } catch (error) {
    if (toAppError(error).code !== 'STORAGE_FULL') throw error
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'use of an API key not recorded')
  }
}
