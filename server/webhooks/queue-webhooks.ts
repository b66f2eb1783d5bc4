import { insertDeliveries } from '#db/webhooks/deliveries.ts'
import { listEnabledEndpoints } from '#db/webhooks/endpoints.ts'
import { newId } from '#domain/ids.ts'
import { wantsEvent, type WebhookEvent, type WebhookPayload } from '#domain/webhooks/webhook-events.ts'
import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { sealPayload } from './sealed-webhooks.ts'

/**
 * Writes events for each endpoint that wants them, in the transaction of the change that they
 * report: both are stored or neither. Without endpoints, it is one read of an empty table.
 */
export async function queueWebhooks(
  { db, keys, now }: Pick<Context, 'db' | 'keys' | 'now'>,
  events: readonly WebhookEvent[],
): Promise<void> {
  if (events.length === 0) return
  const endpoints = await listEnabledEndpoints(db)
  if (endpoints.length === 0) return
  await insertDeliveries(
    db,
    events.flatMap((event) => {
      const eventId = `evt_${randomUUID()}`
      const payload: WebhookPayload = { id: eventId, createdAt: now.toISOString(), ...event }
      const body = JSON.stringify(payload)
      return endpoints
        .filter(({ topic }) => wantsEvent(topic, event.type))
        .map((endpoint) => {
          const id = newId(now.getTime())
          const sealedPayload = sealPayload(keys, id, body)
          return { id, eventId, endpointId: endpoint.id, type: event.type, sealedPayload, createdAt: now }
        })
    }),
  )
}
