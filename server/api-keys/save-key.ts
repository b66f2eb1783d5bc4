import { insertKey, listKeys, revokeKey as revokeRow } from '#db/api-keys/api-keys.ts'
import { can } from '#domain/accounts/permissions.ts'
import { keyStatus, selectedPermissions, type NewKeyInput } from '#domain/api-keys/key-input.ts'
import { permissionsOfAccess } from '#domain/api-keys/key-permissions.ts'
import { shopSubjectId } from '#domain/audit/audit.ts'
import { dayMs } from '#domain/days.ts'
import { AppError } from '#domain/errors.ts'
import { requireRecentCode } from '../accounts/recent-code.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { hashToken } from '../crypto/tokens.ts'
import { requirePermission } from '../require-user.ts'
import { newKey, prefixOf } from './new-key.ts'

/** More than any shop needs. */
const maxActiveKeys = 50

const noOtherPermission =
  'A key for orders can have no other permission: the stock would show which medicines an order contains.'

/**
 * Creates a key and returns it; it is shown only now. Throws UNAUTHENTICATED, FORBIDDEN,
 * CODE_REQUIRED, INVALID (catalogWrite) without a permission, INVALID (orders) for orders with
 * another permission, and CONFLICT when the form was sent before or there are too many keys.
 */
export async function createKey(
  ctx: Context,
  { id, name, days, orders, ...input }: NewKeyInput,
): Promise<string> {
  const user = requirePermission(ctx, 'settings.write')
  requireRecentCode(ctx)
  const permissions = selectedPermissions(input)
  const given = [...permissions, ...(orders ? permissionsOfAccess[orders] : [])]
  if (given.length === 0)
    throw new AppError('INVALID', undefined, { fields: { catalogWrite: 'Choose at least one permission.' } })
  if (orders && permissions.length > 0)
    throw new AppError('INVALID', undefined, { fields: { orders: noOtherPermission } })
  if (!given.every((permission) => can(user, permission))) throw new AppError('FORBIDDEN')
  const key = newKey()
  await inTransaction(ctx, async (ctx) => {
    const active = (await listKeys(ctx.db)).filter((row) => keyStatus(row, ctx.now) === 'active')
    if (active.length >= maxActiveKeys)
      throw new AppError('CONFLICT', `There are ${maxActiveKeys} API keys. Revoke one first.`)
    const isNew = await insertKey(ctx.db, {
      id,
      name,
      prefix: prefixOf(key),
      keyHash: hashToken(key),
      permissions,
      orderAccess: orders,
      createdBy: user.id,
      createdAt: ctx.now,
      expiresAt: new Date(ctx.now.getTime() + days * dayMs),
    })
    if (!isNew)
      throw new AppError('CONFLICT', 'This key was created before. Revoke it if you don’t have a copy.')
    await recordAudit(ctx, { action: 'api-key.created', subjectId: shopSubjectId, objectId: id })
  })
  return key
}

/**
 * Ends a key at once. Returns false when it is revoked already. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function revokeKey(ctx: Context, id: string): Promise<boolean> {
  requirePermission(ctx, 'settings.write')
  return inTransaction(ctx, async (ctx) => {
    if (!(await revokeRow(ctx.db, { id, now: ctx.now }))) return false
    await recordAudit(ctx, { action: 'api-key.revoked', subjectId: shopSubjectId, objectId: id })
    return true
  })
}
