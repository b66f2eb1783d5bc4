import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export const pauseMs = 40
/** A cart takes at most 999 of a product. */
const maxInCart = 900

/** What breaks, in turn. */
export const events = [
  'late',
  'replica',
  'replica hangs',
  'replica backend',
  'primary',
  'primary backend',
  'primary postmaster',
  'first process',
  'second process',
] as const
export type Event = (typeof events)[number]

type Answer = { status: number; retryAfter: string | null; body: string }
export type Load = {
  /** What breaks now, until the shop is back. */
  event: Event | null
  findings: string[]
  facts: {
    reads: number
    writes: number
    readBacks: number
    refused: number
    unanswered: number
  }
  /** The last acknowledged name of each product. */
  names: Map<string, string>
}

/** Reads as a visitor until the signal aborts, in turns at each process. */
export async function keepReading(
  origins: readonly string[],
  paths: readonly string[],
  load: Load,
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; !signal.aborted; at++) {
    const path = paths[at % paths.length] ?? '/'
    const before = load.event
    const answer = await send(origins[at % origins.length] ?? '', 'GET', path)
    load.facts.reads++
    isAnswered(answer, [before, load.event], path, load)
    await sleep(pauseMs)
  }
}

/**
 * Renames a product as an admin in a browser until the signal aborts, and reads it at once at the
 * other process. An unanswered write may have happened, so the next one decides.
 */
export async function keepWriting(
  origins: readonly string[],
  id: string,
  cookies: Map<string, string>,
  load: Load,
  signal: AbortSignal,
): Promise<void> {
  const path = `/api/products/${id}`
  for (let at = 0; !signal.aborted; at++) {
    const name = `Lozenges number ${at} of ${id}`
    const before = load.event
    const written = await send(origins[at % 2] ?? '', 'PATCH', path, cookies, { name })
    if (isAnswered(written, [before, load.event], `PATCH ${path}`, load)) {
      load.facts.writes++
      load.names.set(id, name)
      const then = load.event
      const read = await send(origins[(at + 1) % 2] ?? '', 'GET', path, cookies)
      if (isAnswered(read, [then, load.event], path, load)) {
        load.facts.readBacks++
        if (!read.body.includes(name)) load.findings.push(`${load.event ?? 'calm'}: an own write is stale`)
      }
    } else load.names.delete(id)
    await sleep(pauseMs)
  }
}

/**
 * Adds to a customer's cart until the signal aborts, and reads it at once at the other process. An
 * unanswered addition may have happened.
 */
export async function keepFillingCart(
  origins: readonly string[],
  variantId: string,
  cookies: Map<string, string>,
  load: Load,
  signal: AbortSignal,
): Promise<void> {
  let least = 0
  let most = 0
  for (let at = 0; !signal.aborted; at++) {
    const before = load.event
    const form = new URLSearchParams({ intent: 'add', variantId, quantity: '1' })
    if (most < maxInCart) {
      const written = await send(origins[at % 2] ?? '', 'POST', '/cart', cookies, form)
      most++
      if (isAnswered(written, [before, load.event], 'POST /cart', load)) {
        load.facts.writes++
        least++
      }
    }
    const then = load.event
    const read = await send(origins[(at + 1) % 2] ?? '', 'GET', '/cart', cookies)
    if (isAnswered(read, [then, load.event], '/cart', load)) {
      load.facts.readBacks++
      const text = read.body.replaceAll(/<!--.*?-->/g, '')
      const shown = Number(/Shopping Cart \((\d+) item/.exec(text)?.[1] ?? 0)
      if (shown < least || shown > most) load.findings.push(`a cart of ${least} to ${most} shows ${shown}`)
    }
    await sleep(pauseMs)
  }
}

/** Counts a refusal that the event permits; any other is a finding. */
function isAnswered(answer: Answer, during: (Event | null)[], what: string, load: Load): boolean {
  const { status, retryAfter } = answer
  if (status === 200 || status === 303) return true
  const isPrimary = during.some((event) => event?.startsWith('primary'))
  const mayRefuse = isPrimary && status === 503 && retryAfter !== null
  const isKilled = during.some((event) => event?.endsWith('process')) && status === 0
  if (mayRefuse) load.facts.refused++
  else if (isKilled) load.facts.unanswered++
  else load.findings.push(`${during[0] ?? 'calm'}: ${what} returned ${status}`)
  return false
}

const agent = new Agent({ keepAlive: false })

/** One request as a browser sends it. Status 0 when the connection ended without a response. */
export const send = (
  origin: string,
  method: string,
  path: string,
  cookies = new Map<string, string>(),
  body?: unknown,
): Promise<Answer> =>
  new Promise((resolve) => {
    const fail = (): void => resolve({ status: 0, retryAfter: null, body: '' })
    const headers = {
      origin,
      'sec-fetch-site': 'same-origin',
      ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
      ...(body instanceof URLSearchParams
        ? { 'content-type': 'application/x-www-form-urlencoded' }
        : body !== undefined && { 'content-type': 'application/json' }),
    }
    const sent = request(`${origin}${path}`, { agent, method, headers }, (response) => {
      let received = ''
      response.setEncoding('utf8').on('data', (text: string) => (received += text))
      response.once('error', fail)
      response.once('end', () => {
        const { 'retry-after': retryAfter = null, 'set-cookie': setCookie = [] } = response.headers
        for (const line of setCookie) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        resolve({ status: response.statusCode ?? 0, retryAfter, body: received })
      })
    })
    sent.once('error', fail)
    if (body === undefined) sent.end()
    else sent.end(body instanceof URLSearchParams ? body.toString() : JSON.stringify(body))
  })
