import { createTransport } from 'nodemailer'
import { isLoopback } from '../../env.ts'
import type { Mailer } from './mailer.ts'

const connectionTimeoutMs = 10_000
/** RFC 5321, 4.5.3.2 allows minutes for an answer; a slow server is tried again instead. */
const socketTimeoutMs = 30_000
const idleTimeoutMs = 30_000

/**
 * Sends by SMTP over a few connections that are kept. A server on another machine must offer TLS, unless the URL says
 * `?requireTLS=false`.
 * @param url `smtp://…` or `smtps://…`, with user and password where the server asks for them
 * @param from the sender of every mail
 */
export function openSmtp(url: string, from: string): Mailer {
  const transport = createTransport({
    pool: true,
    url,
    requireTLS: !isLoopback(new URL(url).hostname),
    maxConnections: 3,
    // A mail whose connection breaks is tried again by the outbox, which waits in between.
    maxRequeues: 0,
    connectionTimeout: connectionTimeoutMs,
    greetingTimeout: connectionTimeoutMs,
    dnsTimeout: connectionTimeoutMs,
    socketTimeout: socketTimeoutMs,
    idleTimeout: idleTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = /@([^@>]+)>?$/.exec(from)?.[1] ?? 'localhost'
  return {
    async send({ id, date, to, replyTo, subject, text, html }, signal) {
      try {
        await transport.sendMail({
          from,
          to: { name: to.name ?? '', address: to.address },
          ...(replyTo && { replyTo: { name: replyTo.name ?? '', address: replyTo.address } }),
          subject,
          text,
          ...(html !== null && { html }),
          date,
          messageId: `<${id}@${domain}>`,
          // RFC 3834: no out-of-office answers to a machine.
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        })
        return { outcome: 'sent' }
      } catch (error) {
        return toFailure(error)
      }
    },
    close: () => transport.close(),
  }
}

/** The words of a refusal repeat addresses, so only its codes are told. */
function toFailure(error: unknown): { outcome: 'refused' | 'failed'; code: string } {
  if (!(error instanceof Error)) throw error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const reply = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null
  // The mail itself was refused for good; a refused sign-in is a mistake of the setting and may be mended.
  const isFinal = reply !== null && reply >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  return { outcome: isFinal ? 'refused' : 'failed', code: reply === null ? code : `${code} ${reply}` }
}
