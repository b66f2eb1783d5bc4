/**
 * What the shop counts, without personal data, products or amounts. Each is the Prometheus counter
 * `meridian_<name>_total`.
 */
export const shopEvents = {
  orders_placed: 'Orders created',
  payments_captured: 'Payments captured after a pharmacist’s decisions',
  payments_voided: 'Authorizations voided',
  refunds_made: 'Refunds made by the payment provider',
  fills_recorded: 'Fills recorded for new orders',
  alerts_shown: 'Alerts in decided cases and confirmed checkouts',
  alert_decisions: 'Decisions that pharmacists made about alerts',
  emails_sent: 'Emails accepted by the mail server',
  emails_failed: 'Emails given up after all attempts',
  webhooks_delivered: 'Webhooks that a receiver accepted',
  webhooks_failed: 'Webhooks given up after all attempts',
} as const
export type ShopEvent = keyof typeof shopEvents

/** A request as the metrics see it: the route's pattern, never its path. */
export type ObservedRequest = { route: string; method: string; status: number; seconds: number }

/** Where requests and events are counted (`server/integrations/metrics`). */
export type Metrics = {
  observeRequest: (request: ObservedRequest) => void
  count: (event: ShopEvent, by?: number) => void
  /** Notes how a run of a job in this process ended. */
  noteJobRun: (job: string, outcome: 'succeeded' | 'failed') => void
  /** Counts a request of this class that was refused because of overload. */
  countShed: (requestClass: string) => void
  /** The text that Prometheus scrapes. */
  read: () => Promise<string>
}

/** Metrics for one transaction: what it counts is added when it has committed. */
export function countAfterCommit(metrics: Metrics): { metrics: Metrics; commit: () => void } {
  const counted: (() => void)[] = []
  return {
    metrics: { ...metrics, count: (event, by) => void counted.push(() => metrics.count(event, by)) },
    commit: () => counted.forEach((count) => count()),
  }
}

/** Counts an event where the context has metrics; inside a transaction, when it commits. */
export function countEvent(ctx: { metrics?: Metrics | undefined }, event: ShopEvent, by = 1): void {
  ctx.metrics?.count(event, by)
}
