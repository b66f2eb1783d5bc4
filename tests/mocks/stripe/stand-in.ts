import { setTimeout as sleep } from 'node:timers/promises'
import { openBooks } from './store.ts'
import { endpoints, expanded, type Call } from './endpoints.ts'
import { parseForm } from './form-body.ts'
import { idempotencyKeys, type Kept } from './idempotency.ts'
import { newEvent, newStripeId, type Intent, type StripeEvent } from './objects.ts'
import { answerPage } from './pages.ts'
import { readParameters } from './parameters.ts'
import { StripeRefusal } from './refusal.ts'
import { webhookSender } from './webhooks.ts'

/** The one version that it has learned. */
const apiVersion = '2026-10-28.endive'

/** Keys of no account. */
export const stripeKeys = {
  secret: 'sk_test_stand_in',
  publishable: 'pk_test_stand_in',
  webhook: 'whsec_stand_in',
} as const

/** What may go wrong: with or without the call being carried out, an answer or none. */
export type Fault =
  | 'answer 500'
  | 'answer 429'
  | 'say nothing'
  | 'cut off'
  | 'act, answer 500'
  | 'act, say nothing'
  | 'act, cut off'

type Trouble = { fault: Fault; on: string; times: number }

/** An answer, or what happens to the connection instead. */
export type Answer = Response | 'say nothing' | 'cut off'

export type StripeStandIn = ReturnType<typeof stripeStandIn>

/**
 * Stands in for the part of Stripe's HTTP API that a shop with one-time payments needs, after Stripe's documentation and in the shapes of
 * its fixtures. It remembers, demands a key, keeps idempotency keys for a day, refuses parameters that nobody knows and says of
 * others that it does not simulate them. Events go where `webhooks.connect` says.
 */
export function stripeStandIn({ now = () => new Date() }: { now?: () => Date } = {}) {
  const state = {
    /** Where its pages are; set when it listens. */
    origin: 'https://checkout.stripe.com',
    /** How long a call takes, once it is begun. */
    latencyMs: 0,
  }
  const events: StripeEvent[] = []
  /** Every call that came, in order: "POST /v1/refunds". */
  const calls: string[] = []
  /** What each said, decoded: what a shop tells is what leaves it. */
  const said: string[] = []
  const webhooks = webhookSender(now)
  const keys = idempotencyKeys(now)
  let troubles: Trouble[] = []
  let cause: { id: string | null; idempotency_key: string | null } = { id: null, idempotency_key: null }

  const books = openBooks({
    now,
    origin: () => state.origin,
    emit: (type, object) => {
      const event = newEvent(now(), type, object, cause)
      events.push(event)
      webhooks.tell(event)
    },
  })

  function takeTrouble(call: string): Fault | null {
    const trouble = troubles.find(({ on, times }) => times > 0 && call.startsWith(on))
    if (!trouble) return null
    trouble.times -= 1
    return trouble.fault
  }

  /** Answers a request to the API or to one of the pages. */
  async function handle(request: Request): Promise<Answer> {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/v1/')) {
      return (await answerPage(books, request)) ?? new Response('Not found', { status: 404 })
    }
    const call = `${request.method} ${pathname}`
    calls.push(call)
    const fault = takeTrouble(call)
    if (fault === 'say nothing' || fault === 'cut off') return fault
    const requestId = newStripeId('req_', 14)
    try {
      if (fault === 'answer 500') throw new StripeRefusal(500, 'An error occurred.', { type: 'api_error' })
      if (fault === 'answer 429') {
        throw new StripeRefusal(429, 'Too many requests in a short time.', { code: 'rate_limit' })
      }
      const { kept, headers } = await answerCall(request, requestId, fault === 'act, answer 500')
      if (fault === 'act, say nothing') return 'say nothing'
      if (fault === 'act, cut off') return 'cut off'
      return reply(kept, requestId, headers)
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error
      return reply({ status: error.status, body: JSON.stringify(error.body) }, requestId, {})
    }
  }

  const reply = ({ status, body }: Kept, requestId: string, headers: Record<string, string>): Response =>
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
  ): Promise<{ kept: Kept; headers: Record<string, string> }> {
    const url = new URL(request.url)
    const endpoint = endpoints.find(
      ({ method, path }) => method === request.method && path.test(url.pathname),
    )
    if (!endpoint) {
      throw new StripeRefusal(404, `Unrecognized request URL (${request.method}: ${url.pathname}).`)
    }
    const isPublishable = checkKey(request, endpoint.publishable ?? false)
    checkVersion(request, isPublishable)
    const form = request.method === 'GET' ? url.search.slice(1) : await readForm(request)
    said.push(decodeURIComponent(form.replaceAll('+', ' ')))
    const call: Call = {
      given: readParameters(parseForm(form), endpoint.parameters),
      id: endpoint.path.exec(url.pathname)?.[1] ?? '',
      isPublishable,
      now: now(),
    }
    endpoint.check?.(call)
    const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null
    if (key !== null && key.length > 255) {
      throw new StripeRefusal(400, 'Idempotency keys have at most 255 characters.', {
        type: 'idempotency_error',
      })
    }
    const { kept, end } = key === null ? { kept: null, end: () => {} } : keys.begin(key, url.pathname, form)
    const echo: Record<string, string> = key === null ? {} : { 'Idempotency-Key': key }
    if (kept) return { kept, headers: { ...echo, 'Idempotent-Replayed': 'true', ...noRetry(kept) } }
    if (state.latencyMs > 0) await sleep(state.latencyMs)
    const outcome = carryOut()
    end(outcome)
    return { kept: outcome, headers: { ...echo, ...noRetry(outcome) } }

    function carryOut(): Kept {
      cause = { id: requestId, idempotency_key: key }
      try {
        const answer = expanded(books, call.given, endpoint?.run(books, call) ?? {})
        if (mustFail) throw new StripeRefusal(500, 'An error occurred.', { type: 'api_error' })
        return { status: 200, body: JSON.stringify(answer, null, 2) }
      } catch (error) {
        if (!(error instanceof StripeRefusal)) throw error
        return { status: error.status, body: JSON.stringify(error.body) }
      } finally {
        cause = { id: null, idempotency_key: null }
      }
    }
  }

  /** A browser's part: confirms with the publishable key, as Stripe's script does. Throws StripeRefusal for a declined card. */
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
    const body = (await answer.json()) as Intent & StripeRefusal['body']
    if (answer.ok) return body
    const { message, ...said } = body.error
    throw new StripeRefusal(answer.status, message, said)
  }

  return {
    books,
    calls,
    said,
    events,
    state,
    webhooks,
    handle,
    confirm,
    /** From now on calls that begin so ("POST /v1/refunds") go wrong, `times` times. */
    fail: (fault: Fault, { on = '', times = Infinity }: { on?: string; times?: number } = {}): void => {
      troubles.push({ fault, on, times })
    },
    heal: (): void => {
      troubles = []
    },
  }
}

const noRetry = ({ status }: Kept): Record<string, string> =>
  status >= 500 ? { 'Stripe-Should-Retry': 'false' } : {}

async function readForm(request: Request): Promise<string> {
  const body = await request.text()
  const type = request.headers.get('content-type') ?? ''
  if (body !== '' && !type.startsWith('application/x-www-form-urlencoded')) {
    throw new StripeRefusal(400, `Invalid request: unsupported content type ${type}.`)
  }
  return body
}

/** Demands a key, and a secret one where a browser may not call. Answers whether it is a publishable one. */
function checkKey(request: Request, publishable: boolean): boolean {
  const given = /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  if (given === undefined) {
    throw new StripeRefusal(401, 'You did not provide an API key.')
  }
  if (given === stripeKeys.secret) return false
  if (given !== stripeKeys.publishable) {
    throw new StripeRefusal(401, `Invalid API Key provided: ${given.slice(0, 8)}****`)
  }
  if (publishable) return true
  throw new StripeRefusal(
    403,
    'This API call cannot be made with a publishable API key. Please use a secret API key.',
    { code: 'secret_key_required' },
  )
}

function checkVersion(request: Request, isPublishable: boolean): void {
  const version = request.headers.get('stripe-version')
  if (version === apiVersion || (version === null && isPublishable)) return
  throw new StripeRefusal(400, `Invalid Stripe API version: ${version ?? 'none'}`)
}
