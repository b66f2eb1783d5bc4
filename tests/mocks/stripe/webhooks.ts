import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StripeEvent } from './objects.ts'

export type Webhooks = {
  url: string
  /** Two while a secret is replaced: each signs. */
  secrets: readonly string[]
  /** How often each event is sent. */
  times: number
  delayMs: number
  /** The maximum random extra delay: events arrive in any order. */
  shuffleMs: number
  /** Whether an event is lost. */
  drop: (event: StripeEvent, count: number) => boolean
  /** How often a rejected event is sent again, and the pause before it. */
  retries: number
  retryMs: number
  send: (url: string, init: RequestInit) => Promise<{ status: number }>
}

export type Delivery = { eventId: string; type: string; status: number | 'not reached' | 'dropped' }

/** Signs a body as Stripe does (https://docs.stripe.com/webhooks/signature). @param at seconds */
export function signatureOf(body: string, secrets: readonly string[], at: number): string {
  const sign = (secret: string): string => createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return [`t=${at}`, ...secrets.map((secret) => `v1=${sign(secret)}`)].join(',')
}

/** Sends events to an endpoint, reliably or with the faults of its settings. */
export function webhookSender(now: () => Date) {
  const deliveries: Delivery[] = []
  const pending = new Set<Promise<void>>()
  let endpoint: Webhooks | null = null
  let count = 0

  async function deliver(event: StripeEvent, to: Webhooks): Promise<void> {
    await sleep(to.delayMs + Math.random() * to.shuffleMs)
    for (let attempt = 0; attempt <= to.retries; attempt++) {
      if (attempt > 0) await sleep(to.retryMs)
      const status = await sendOnce(event, to)
      deliveries.push({ eventId: event.id, type: event.type, status })
      if (typeof status === 'number' && status >= 200 && status < 300) return
    }
  }

  async function sendOnce(event: StripeEvent, to: Webhooks): Promise<Delivery['status']> {
    const body = JSON.stringify(event, null, 2)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signatureOf(body, to.secrets, Math.floor(now().getTime() / 1000)),
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    }
    try {
      return (await to.send(to.url, { method: 'POST', headers, body })).status
    } catch (error) {
      if (error instanceof TypeError) return 'not reached'
      throw error
    }
  }

  function send(event: StripeEvent): void {
    const to = endpoint
    if (!to) return
    if (to.drop(event, ++count)) {
      deliveries.push({ eventId: event.id, type: event.type, status: 'dropped' })
      return
    }
    for (let copy = 0; copy < to.times; copy++) {
      const work = deliver(event, to)
      pending.add(work)
      void work.finally(() => pending.delete(work))
    }
  }

  return {
    deliveries,
    send,
    /** Sets the endpoint of future events; null sends none. */
    connect: (to: (Pick<Webhooks, 'url' | 'secrets'> & Partial<Webhooks>) | null): void => {
      endpoint = to && {
        times: 1,
        delayMs: 0,
        shuffleMs: 0,
        drop: () => false,
        retries: 0,
        retryMs: 100,
        send: async (url, init) => {
          const response = await fetch(url, init)
          await response.arrayBuffer()
          return response
        },
        ...to,
      }
    },
    /** Resolves when every event was delivered or has failed for good. */
    settled: async (): Promise<void> => {
      while (pending.size > 0) await Promise.all(pending)
    },
  }
}
