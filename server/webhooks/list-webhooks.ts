import { listDeliveries } from '#db/webhooks/deliveries.ts'
import { listEndpoints } from '#db/webhooks/endpoints.ts'
import type { Context } from '../context.ts'
import { isWebhookTarget } from '../integrations/web/webhook-sender.ts'
import { isLoopbackOrigin } from '../loopback.ts'
import { requirePermission } from '../require-user.ts'

const maxDeliveries = 100

/**
 * The endpoints without their secrets, and the newest deliveries. Throws UNAUTHENTICATED,
 * FORBIDDEN.
 */
export async function listWebhooks(ctx: Context) {
  requirePermission(ctx, 'settings.write')
  const [endpoints, deliveries] = await Promise.all([
    listEndpoints(ctx.db),
    listDeliveries(ctx.db, maxDeliveries),
  ])
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]))
  return {
    endpoints: endpoints.map(({ id, url, topic, createdAt, failingSince, disabledReason }) => ({
      id,
      url,
      topic,
      createdAt,
      failingSince,
      disabledReason,
      // An endpoint of a release that accepted more addresses, or of a shop on this machine.
      isRefused: !isWebhookTarget(url, { allowsLoopback: isLoopbackOrigin(ctx.shop.publicOrigin) }),
    })),
    deliveries: deliveries.flatMap(({ endpointId, ...delivery }) => {
      const url = urls.get(endpointId)
      return url === undefined ? [] : [{ ...delivery, url }]
    }),
  }
}
export type WebhookList = Awaited<ReturnType<typeof listWebhooks>>
