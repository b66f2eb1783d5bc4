import { randomBytes } from '#domain/random-bytes.ts'
import { createHmac } from 'node:crypto'

/** Standard Webhooks asks for 24 to 64 bytes. */
const secretBytes = 32
const prefix = 'whsec_'

export const newSecret = (): string => prefix + Buffer.from(randomBytes(secretBytes)).toString('base64')

/** The headers of a webhook by Standard Webhooks 1.0 (https://www.standardwebhooks.com). */
export function signedHeaders(
  secret: string,
  { id, now, body }: { id: string; now: Date; body: string },
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
