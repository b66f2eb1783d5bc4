import type {
  DeliveryState,
  DisabledReason,
  WebhookEventType,
  WebhookTopic,
} from '#domain/webhooks/webhook-events.ts'

/** Where the shop sends events. */
export type WebhookEndpointsTable = {
  id: string
  url: string
  topic: WebhookTopic
  /** The key of its signatures. */
  sealedSecret: string
  createdBy: string
  createdAt: Date
  /** Since when every attempt has failed; null after a success. */
  failingSince: Date | null
  disabledAt: Date | null
  disabledReason: DisabledReason | null
}

/** An event for one endpoint, written in the transaction of the change that it reports. */
export type WebhookDeliveriesTable = {
  id: string
  /** The same at every endpoint and attempt, so that a receiver can handle it once. */
  eventId: string
  endpointId: string
  type: WebhookEventType
  /** The body as it is sent. Sealed, because its time would link a variant with an order. */
  sealedPayload: string
  state: DeliveryState
  attempts: number
  /** When the job may send it: on creation, then when a lease or a pause ends. */
  nextAt: Date | null
  lastStatus: number | null
  /** The class of the last failure without a reply, such as ECONNREFUSED. */
  lastError: string | null
  createdAt: Date
  finishedAt: Date | null
}
