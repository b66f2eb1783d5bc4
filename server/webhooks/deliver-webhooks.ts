import {
  claimDeliveries,
  listDueEndpoints,
  returnClaim,
  saveAttempt,
  type ClaimedDelivery,
} from '#db/webhooks/deliveries.ts'
import { disableEndpoint, noteAttempt, type EndpointRow } from '#db/webhooks/endpoints.ts'
import { decideAttempt, decideDisabling, isDelivered } from '#domain/webhooks/retry-schedule.ts'
import type { WebhookReply, WebhookSender } from '../integrations/web/webhook-sender.ts'
import type { JobContext } from '../job-context.ts'
import { countEvent } from '../metrics.ts'
import { withResponseTimeout } from '../with-response-timeout.ts'
import { unsealPayload, unsealSecret } from './sealed-webhooks.ts'
import { signedHeaders } from './signature.ts'

/** How many deliveries one run makes to an endpoint at the same time. */
const batchSize = 25
const attemptTimeoutMs = 5000
/** Much longer than one attempt with its database work. */
const leaseMs = 60_000

/**
 * A run starts no batch after this, so it takes this and one timeout at most. Others may be due by
 * then.
 */
const runMs = 2000

/**
 * Makes the due deliveries of all endpoints side by side. An endpoint gets one batch after another
 * until one has a failure or the run's time is used up. So a slow endpoint delays those that are
 * due in the next run by seven seconds at most. A delivery is claimed first, so only one process
 * makes it. If a process dies between sending and recording, the receiver gets it again with the
 * same `webhook-id`.
 */
export async function deliverWebhooks(
  ctx: JobContext,
  sender: WebhookSender,
  signal: AbortSignal,
): Promise<void> {
  const endsAt = new Date(ctx.now().getTime() + runMs)
  const endpoints = await listDueEndpoints(ctx.db, ctx.now())
  await Promise.all(
    endpoints.map(async (endpoint) => {
      while (!signal.aborted) {
        const now = ctx.now()
        if (now >= endsAt) return
        const leaseEnds = new Date(now.getTime() + leaseMs)
        const claim = { endpointId: endpoint.id, now, leaseEnds, limit: batchSize }
        const deliveries = await claimDeliveries(ctx.db, claim)
        const made = await Promise.all(
          deliveries.map((delivery) => deliver(ctx, sender, { endpoint, delivery, signal })),
        )
        if (deliveries.length < batchSize || made.includes(false)) return
      }
    }),
  )
}

type Delivering = { endpoint: EndpointRow; delivery: ClaimedDelivery; signal: AbortSignal }

/** Returns whether the receiver took it. */
async function deliver(ctx: JobContext, sender: WebhookSender, work: Delivering): Promise<boolean> {
  const { endpoint, delivery, signal } = work
  const { id, attempts } = delivery
  const reply = await send(ctx, sender, work)
  const now = ctx.now()
  // The shop stops: the next process sends it at once.
  if (reply.status === null && signal.aborted) {
    await returnClaim(ctx.db, { id, attempts, now })
    return false
  }
  const { status, error } = reply
  const { state, nextAt } = decideAttempt({ status, attempts, now })
  const finishedAt = state === 'pending' ? null : now
  await ctx.db.transaction().execute(async (db) => {
    const result = { id, attempts, state, nextAt, finishedAt, lastStatus: status, lastError: error }
    if (!(await saveAttempt(db, result))) return
    // Other deliveries to the endpoint end at the same time, so the row decides.
    const failingSince = await noteAttempt(db, {
      id: endpoint.id,
      failedAt: isDelivered(status) ? null : now,
    })
    const disables = decideDisabling({ status, failingSince, now })
    if (disables !== null) await disableEndpoint(db, { id: endpoint.id, now, reason: disables })
  })
  if (state === 'delivered') countEvent(ctx, 'webhooks_delivered')
  else ctx.log.warn({ deliveryId: id, endpointId: endpoint.id, attempts, status, error }, 'webhook failed')
  if (state === 'failed') countEvent(ctx, 'webhooks_failed')
  return state === 'delivered'
}

async function send(
  ctx: JobContext,
  sender: WebhookSender,
  { endpoint, delivery, signal }: Delivering,
): Promise<WebhookReply> {
  let body: string
  let headers: Record<string, string>
  try {
    body = unsealPayload(ctx.keys, delivery.id, delivery.sealedPayload)
    const secret = unsealSecret(ctx.keys, endpoint.id, endpoint.sealedSecret)
    headers = signedHeaders(secret, { id: delivery.eventId, now: ctx.now(), body })
  } catch (error) {
    // It must not block the others. Its key may be restored later.
    ctx.log.error({ err: error, deliveryId: delivery.id }, 'webhook could not be decrypted')
    return { status: null, error: 'SEALED' }
  }
  return withResponseTimeout(
    attemptTimeoutMs,
    (limit) => sender.post(endpoint.url, { headers, body, signal: limit }),
    signal,
  )
}
