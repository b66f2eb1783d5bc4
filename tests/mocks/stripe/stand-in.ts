import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from './store.ts'
import { endpoints, expanded, type Call } from './endpoints.ts'
import { parseForm } from './form-body.ts'
import { idempotencyKeys, type StoredResponse } from './idempotency.ts'
import { newEvent, newStripeId, type Intent, type StripeEvent } from './objects.ts'
import { answerPage } from './pages.ts'
import { readParameters } from './parameters.ts'
import { StripeMockError } from './mock-error.ts'
import { webhookSender } from './webhooks.ts'

/** The only API version it supports. */
const apiVersion = '2026-10-28.endive'

/** Fake keys. */
export const stripeKeys = {
  secret: 'sk_test_stand_in',
  publishable: 'pk_test_stand_in',
  webhook: 'whsec_stand_in',
} as const

/** Faults: with or without executing the call, with or without an answer. */
export type Fault =
  | 'answer 500'
  | 'answer 429'
  | 'say nothing'
  | 'cut off'
  | 'act, answer 500'
  | 'act, say nothing'
  | 'act, cut off'

type PlannedFault = { fault: Fault; on: string; times: number }

/** An answer, or what happens to the connection. */
export type Answer = Response | 'say nothing' | 'cut off'

export type StripeStandIn = ReturnType<typeof stripeStandIn>

/**
 * Mocks the part of Stripe's HTTP API that a shop with one-time payments needs, after Stripe's
 * documentation and in the shapes of its fixtures. It is stateful, requires an API key, keeps
 * idempotency keys for a day, rejects unknown parameters and reports documented ones that it does
 * not simulate. Events go to the endpoint of `webhooks.connect`.
 */
export function stripeStandIn({ now = () => new Date() }: { now?: () => Date } = {}) {
  const state = {
    /** The origin of its pages; set when it listens. */
    origin: 'https://checkout.stripe.com',
    /** How long each call takes. */
    latencyMs: 0,
  }
  const events: StripeEvent[] = []
  /** Every received call, in order: "POST /v1/refunds". */
  const calls: string[] = []
  /** The decoded body of each call: everything that the shop sends to Stripe. */
  const bodies: string[] = []
  const webhooks = webhookSender(now)
  const keys = idempotencyKeys(now)
  let plannedFaults: PlannedFault[] = []
  let cause: { id: string | null; idempotency_key: string | null } = { id: null, idempotency_key: null }

  const store = openStore({
    now,
    origin: () => state.origin,
    emit: (type, object) => {
      const event = newEvent(now(), type, object, cause)
      events.push(event)
      webhooks.send(event)
    },
  })

  function takeFault(call: string): Fault | null {
    const planned = plannedFaults.find(({ on, times }) => times > 0 && call.startsWith(on))
    if (!planned) return null
    planned.times -= 1
    return planned.fault
  }

  /** Answers a request to the API or to one of the pages. */
  async function handle(request: Request): Promise<Answer> {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/v1/')) {
      return (await answerPage(store, request)) ?? new Response('Not found', { status: 404 })
    }
    const call = `${request.method} ${pathname}`
    calls.push(call)
    const fault = takeFault(call)
    if (fault === 'say nothing' || fault === 'cut off') return fault
    const requestId = newStripeId('req_', 14)
    try {
      if (fault === 'answer 500') throw new StripeMockError(500, 'An error occurred.', { type: 'api_error' })
      if (fault === 'answer 429') {
        throw new StripeMockError(429, 'Too many requests in a short time.', { code: 'rate_limit' })
      }
      const { stored, headers } = await answerCall(request, requestId, fault === 'act, answer 500')
      if (fault === 'act, say nothing') return 'say nothing'
      if (fault === 'act, cut off') return 'cut off'
      return reply(stored, requestId, headers)
    } catch (error) {
      if (!(error instanceof StripeMockError)) throw error
      return reply({ status: error.status, body: JSON.stringify(error.body) }, requestId, {})
    }
  }

  const reply = (
    { status, body }: StoredResponse,
    requestId: string,
    headers: Record<string, string>,
  ): Response =>
    new Response(body, {
      status,
      headers: {
        'Content-Type': 'application/json',
        'Request-Id': requestId,
        'Stripe-Version': apiVersion,
        ...headers,
      },
    })

  async function answerCall(
    request: Request,
    requestId: string,
    mustFail: boolean,
  ): Promise<{ stored: StoredResponse; headers: Record<string, string> }> {
    const url = new URL(request.url)
    const endpoint = endpoints.find(
      ({ method, path }) => method === request.method && path.test(url.pathname),
    )
    if (!endpoint) {
      throw new StripeMockError(404, `Unrecognized request URL (${request.method}: ${url.pathname}).`)
    }
    const isPublishable = checkKey(request, endpoint.publishable ?? false)
    checkVersion(request, isPublishable)
    const form = request.method === 'GET' ? url.search.slice(1) : await readForm(request)
    bodies.push(decodeURIComponent(form.replaceAll('+', ' ')))
    const call: Call = {
      given: readParameters(parseForm(form), endpoint.parameters),
      id: endpoint.path.exec(url.pathname)?.[1] ?? '',
      isPublishable,
      now: now(),
    }
    endpoint.check?.(call)
    const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null
    if (key !== null && key.length > 255) {
      throw new StripeMockError(400, 'Idempotency keys have at most 255 characters.', {
        type: 'idempotency_error',
      })
    }
    const { stored, finish } =
      key === null ? { stored: null, finish: () => {} } : keys.start(key, url.pathname, form)
    const echo: Record<string, string> = key === null ? {} : { 'Idempotency-Key': key }
    if (stored) return { stored, headers: { ...echo, 'Idempotent-Replayed': 'true', ...noRetry(stored) } }
    if (state.latencyMs > 0) await sleep(state.latencyMs)
    const outcome = execute()
    finish(outcome)
    return { stored: outcome, headers: { ...echo, ...noRetry(outcome) } }

    function execute(): StoredResponse {
      cause = { id: requestId, idempotency_key: key }
      try {
        const answer = expanded(store, call.given, endpoint?.run(store, call) ?? {})
        if (mustFail) throw new StripeMockError(500, 'An error occurred.', { type: 'api_error' })
        return { status: 200, body: JSON.stringify(answer, null, 2) }
      } catch (error) {
        if (!(error instanceof StripeMockError)) throw error
        return { status: error.status, body: JSON.stringify(error.body) }
      } finally {
        cause = { id: null, idempotency_key: null }
      }
    }
  }

  /**
   * Stands in for the browser: confirms with the publishable key, like Stripe's script. Throws
   * StripeMockError for a declined card.
   */
  async function confirm(
    clientSecret: string,
    { card = 'pm_card_visa', returnUrl = 'https://shop.example/order-confirmation' } = {},
  ): Promise<Intent> {
    const id = clientSecret.split('_secret_')[0] ?? ''
    const answer = await handle(
      new Request(`https://api.stripe.com/v1/payment_intents/${id}/confirm`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stripeKeys.publishable}` },
        body: new URLSearchParams({
          client_secret: clientSecret,
          payment_method: card,
          return_url: returnUrl,
        }),
      }),
    )
    if (!(answer instanceof Response)) throw new Error(`The stand-in did not answer: ${answer}.`)
    const body = (await answer.json()) as Intent & StripeMockError['body']
    if (answer.ok) return body
    const { message, ...bodies } = body.error
    throw new StripeMockError(answer.status, message, bodies)
  }

  return {
    store,
    calls,
    bodies,
    events,
    state,
    webhooks,
    handle,
    confirm,
    /** Fails the next `times` calls with this prefix ("POST /v1/refunds"). */
    fail: (fault: Fault, { on = '', times = Infinity }: { on?: string; times?: number } = {}): void => {
      plannedFaults.push({ fault, on, times })
    },
    clearFaults: (): void => {
      plannedFaults = []
    },
  }
}

const noRetry = ({ status }: StoredResponse): Record<string, string> =>
  status >= 500 ? { 'Stripe-Should-Retry': 'false' } : {}

async function readForm(request: Request): Promise<string> {
  const body = await request.text()
  const type = request.headers.get('content-type') ?? ''
  if (body !== '' && !type.startsWith('application/x-www-form-urlencoded')) {
    throw new StripeMockError(400, `Invalid request: unsupported content type ${type}.`)
  }
  return body
}

/**
 * Requires an API key, a secret one unless browsers may call. Returns whether it is publishable.
 */
function checkKey(request: Request, publishable: boolean): boolean {
  const given = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  if (given === undefined) {
    throw new StripeMockError(401, 'You did not provide an API key.')
  }
  if (given === stripeKeys.secret) return false
  if (given !== stripeKeys.publishable) {
    throw new StripeMockError(401, `Invalid API Key provided: ${given.slice(0, 8)}****`)
  }
  if (publishable) return true
  throw new StripeMockError(
    403,
    'This API call cannot be made with a publishable API key. Please use a secret API key.',
    { code: 'secret_key_required' },
  )
}

function checkVersion(request: Request, isPublishable: boolean): void {
  const version = request.headers.get('stripe-version')
  if (version === apiVersion || (version === null && isPublishable)) return
  throw new StripeMockError(400, `Invalid Stripe API version: ${version ?? 'none'}`)
}
