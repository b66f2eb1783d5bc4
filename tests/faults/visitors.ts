import { Agent, request } from 'node:http'
import { request as requestOverTls } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'

/** An answer as a browser sees it. Status 0 when the connection ended without a response. */
export type Sent = { status: number; ms: number; retryAfter: string | null }

/** The time within which this part of the requests was answered. */
export function quantile(sent: readonly Sent[], part: number): number {
  const sorted = sent.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)
}

/** Sends one request for a page, as a browser does. */
export const visit = (agent: Agent, url: string, headers: Record<string, string> = {}): Promise<Sent> =>
  new Promise((resolve) => {
    const started = performance.now()
    const done = (status: number, retryAfter: string | null): void =>
      resolve({ status, retryAfter, ms: performance.now() - started })
    const send = url.startsWith('https:') ? requestOverTls : request
    const sent = send(url, { agent, headers: { accept: 'text/html', ...headers } }, (response) => {
      const { 'retry-after': retryAfter = null } = response.headers
      response.resume()
      response.once('end', () => done(response.statusCode ?? 0, retryAfter))
      response.once('error', () => done(0, null))
    })
    sent.once('error', () => done(0, null))
    sent.end()
  })

/**
 * Requests these addresses in turn over one connection, until the signal aborts.
 * @param options `agent` for https addresses; it is destroyed at the end
 */
export async function keepVisiting(
  urls: readonly string[],
  options: { headers?: Record<string, string>; pauseMs: number; signal: AbortSignal; agent?: Agent },
  record: (sent: Sent, url: string) => void,
): Promise<void> {
  const agent = options.agent ?? new Agent({ keepAlive: true, maxSockets: 1 })
  for (let at = 0; !options.signal.aborted; at++) {
    const url = urls[at % urls.length] ?? ''
    record(await visit(agent, url, options.headers), url)
    await sleep(options.pauseMs)
  }
  agent.destroy()
}
