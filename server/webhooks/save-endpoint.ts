import { reopenDelivery } from '#db/webhooks/deliveries.ts'
import {
  deleteEndpoint as deleteRow,
  disableEndpoint as disableRow,
  enableEndpoint as enableRow,
  insertEndpoint,
  listEndpoints,
} from '#db/webhooks/endpoints.ts'
import { shopSubjectId, type AuditAction } from '#domain/audit/audit.ts'
import { AppError } from '#domain/errors.ts'
import { webhookUrlMessage, type NewEndpointInput } from '#domain/webhooks/endpoint-input.ts'
import { requireRecentCode } from '../accounts/recent-code.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { isWebhookTarget } from '../integrations/web/webhook-sender.ts'
import { isLoopbackOrigin } from '../loopback.ts'
import { requirePermission } from '../require-user.ts'
import { sealSecret } from './sealed-webhooks.ts'
import { newSecret } from './signature.ts'

/** Each change of an order or of stock writes a row for each endpoint. */
const maxEndpoints = 20

/**
 * Creates an endpoint and returns its secret, which is shown only now. Throws UNAUTHENTICATED,
 * FORBIDDEN, CODE_REQUIRED, INVALID (url), and CONFLICT when the form was sent before or there are
 * too many endpoints.
 */
export async function createEndpoint(ctx: Context, { id, url, topic }: NewEndpointInput): Promise<string> {
  const user = requirePermission(ctx, 'settings.write')
  requireRecentCode(ctx)
  // A shop on this machine may send to this machine. Its sender checks again where it connects.
  if (!isWebhookTarget(url, { allowsLoopback: isLoopbackOrigin(ctx.shop.publicOrigin) }))
    throw new AppError('INVALID', undefined, { fields: { url: webhookUrlMessage } })
  const secret = newSecret()
  await inTransaction(ctx, async (ctx) => {
    if ((await listEndpoints(ctx.db)).length >= maxEndpoints)
      throw new AppError('CONFLICT', `There are ${maxEndpoints} endpoints. Delete one first.`)
    const sealedSecret = sealSecret(ctx.keys, id, secret)
    const row = { id, url, topic, sealedSecret, createdBy: user.id, createdAt: ctx.now }
    if (!(await insertEndpoint(ctx.db, row)))
      throw new AppError(
        'CONFLICT',
        'This endpoint was created before. Delete it if you don’t have its secret.',
      )
    await recordAudit(ctx, { action: 'webhook.created', subjectId: shopSubjectId, objectId: id })
  })
  return secret
}

/** One audited write; nothing changes, and nothing is recorded, when it is done already. */
const change =
  (action: AuditAction, write: (ctx: Context, id: string) => Promise<boolean>) =>
  async (ctx: Context, id: string): Promise<boolean> => {
    requirePermission(ctx, 'settings.write')
    return inTransaction(ctx, async (ctx) => {
      if (!(await write(ctx, id))) return false
      await recordAudit(ctx, { action, subjectId: shopSubjectId, objectId: id })
      return true
    })
  }

/** Returns false when it is disabled already. Throws UNAUTHENTICATED, FORBIDDEN. */
export const disableEndpoint = change('webhook.disabled', ({ db, now }, id) =>
  disableRow(db, { id, now, reason: 'staff' }),
)

/** What waited is sent then. Returns false when it is enabled already. Throws as above. */
export const enableEndpoint = change('webhook.enabled', ({ db }, id) => enableRow(db, id))

/** Deletes the endpoint with its log. Returns false when it is deleted already. Throws as above. */
export const deleteEndpoint = change('webhook.deleted', ({ db }, id) => deleteRow(db, id))

/**
 * Sends a finished delivery again, under the same event id. Returns false when it waits already or
 * its endpoint is disabled. Throws as above.
 */
export const sendAgain = change('webhook.sent-again', ({ db, now }, id) => reopenDelivery(db, { id, now }))
