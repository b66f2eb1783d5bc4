import { createTransport } from 'nodemailer'
import { isLoopback } from '../../loopback.ts'
import type { Mailer } from './mailer.ts'

const connectionTimeoutMs = 10_000
/** RFC 5321, section 4.5.3.2, allows minutes for an answer; we retry a slow server instead. */
const socketTimeoutMs = 30_000
const idleTimeoutMs = 30_000

/**
 * Sends by SMTP over a small connection pool. A server on another machine must support TLS, unless
 * the URL contains `?requireTLS=false`.
 * @param url `smtp://…` or `smtps://…`, with user and password if the server requires them
 * @param from the sender of every mail
 */
export function openSmtp(url: string, from: string): Mailer {
  const transport = createTransport({
    pool: true,
    url,
    requireTLS: !isLoopback(new URL(url).hostname),
    maxConnections: 3,
    // The outbox retries a mail whose connection breaks, with pauses.
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
          // RFC 3834: prevents out-of-office replies.
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

/** Returns only codes, because the text of an SMTP error contains addresses. */
function toFailure(error: unknown): { outcome: 'rejected' | 'failed'; code: string } {
  if (!(error instanceof Error)) throw error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const reply = 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null
  // Only a rejected mail is final. A rejected sign-in or sender concerns every mail.
  const isSenderRejected = 'command' in error && error.command === 'MAIL FROM'
  const isFinal =
    reply !== null && reply >= 500 && !isSenderRejected && (code === 'EENVELOPE' || code === 'EMESSAGE')
  return { outcome: isFinal ? 'rejected' : 'failed', code: reply === null ? code : `${code} ${reply}` }
}
