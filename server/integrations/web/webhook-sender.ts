import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isLoopback } from '../../loopback.ts'
import { isPrivateAddress } from './public-address.ts'
import { internet, openRequest, Refused, type Network } from './public-network.ts'
import { sendRequest } from './send-request.ts'

/** The status of the receiver's reply, or the class of the failure. */
export type WebhookReply = { status: number; error: null } | { status: null; error: string }

type Webhook = { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal }

/** The port to receivers of webhooks. */
export type WebhookSender = {
  /** Posts a body and follows no redirect. Never throws for what the receiver does. */
  post: (url: string, webhook: Webhook) => Promise<WebhookReply>
}

/**
 * Whether a webhook may go to this address: https on its port, but not to a private IP address; or
 * anything on this machine where that is allowed. What a name resolves to is checked when it is
 * sent.
 */
export function isWebhookTarget(text: string, { allowsLoopback }: { allowsLoopback: boolean }): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.username !== '' || url.password !== '') return false
  if (isLoopback(url.hostname)) return allowsLoopback && /^https?:$/.test(url.protocol)
  return url.protocol === 'https:' && url.port === '' && !isPrivateAddress(url.hostname)
}

/**
 * Sends to the public internet only, as `httpsFiles` fetches from it.
 * @param allowsLoopback for dev and demo: also sends to this machine, by http too
 */
export const openWebhookSender = (
  { allowsLoopback }: { allowsLoopback: boolean },
  network: Network = internet,
): WebhookSender => ({
  async post(text, { headers, body, signal }) {
    try {
      if (!isWebhookTarget(text, { allowsLoopback })) throw new Refused('not allowed')
      const url = new URL(text)
      const sent = {
        method: 'POST',
        body,
        headers: {
          ...headers,
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(body)),
        },
        signal,
      }
      const response = await (isLoopback(url.hostname)
        ? postHere(url, sent)
        : openRequest(network, url, sent))
      // Only the status counts; a receiver's text is not kept.
      response.destroy()
      return { status: response.statusCode ?? 0, error: null }
    } catch (error) {
      return { status: null, error: classOf(error, signal) }
    }
  },
})

/** Only a code: an error's text could contain an address of our network. */
function classOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof Refused) return 'ADDRESS_REFUSED'
  if (signal.aborted) return 'TIMEOUT'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[A-Z][A-Z0-9_]{1,39}$/.test(code) ? code : 'NO_CONNECTION'
}

function postHere(
  url: URL,
  {
    body,
    ...options
  }: { method: string; body: string; headers: Record<string, string>; signal: AbortSignal },
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return sendRequest(request(url, { ...options, agent: false }), body)
}

/** For processes that send nothing. */
export const noWebhooks: WebhookSender = { post: async () => ({ status: null, error: 'NOT_SENT' }) }
