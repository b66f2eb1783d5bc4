import { listKeys } from '#db/api-keys/api-keys.ts'
import { listEndpoints } from '#db/webhooks/endpoints.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { keyStatus } from '#domain/api-keys/key-input.ts'
import type { Context } from '../context.ts'
import { notifyAdmins } from './notify-admins.ts'

/** What happened to the account, as the mail says it. */
const events = {
  password: 'has a new password',
  roles: 'has new roles',
  suspended: 'was suspended',
  sessions: 'was signed out everywhere',
  deleted: 'was deleted',
} as const

/**
 * Sends every admin a mail when the account has created API keys or webhooks that are still active:
 * a stranger in the account could have created them. They are the shop's, so none is revoked
 * (docs/decisions/0048-api-keys.md). Call it in the transaction of the change.
 */
export async function reportCreations(
  ctx: Context,
  { userId, event }: { userId: string; event: keyof typeof events },
): Promise<void> {
  const keys = (await listKeys(ctx.db)).filter(
    (row) => row.createdBy === userId && keyStatus(row, ctx.now) === 'active',
  )
  const endpoints = (await listEndpoints(ctx.db)).filter(
    (row) => row.createdBy === userId && row.disabledAt === null,
  )
  if (keys.length + endpoints.length === 0) return
  const { publicOrigin } = ctx.shop
  const account = event === 'deleted' ? '' : `: ${publicOrigin}${adminPaths.user(userId)}`
  await notifyAdmins(ctx, {
    subject: 'Review API keys and webhooks',
    text: [
      `An account that created API keys or webhooks ${events[event]}${account}`,
      ...keys.map(({ name, prefix }) => `API key: ${name} (${prefix}…)`),
      ...endpoints.map(({ url }) => `Webhook: ${new URL(url).host}`),
      `Make sure you recognize each one, and revoke or delete the others: ${publicOrigin}${adminPaths.apiKeys} and ${publicOrigin}${adminPaths.webhooks}`,
      'A key can do only what its creator can do now. Create new keys in place of those that stopped working.',
    ].join('\n\n'),
  })
}
