import { claimMails, markMailFailed, markMailSent, postponeMail, type ClaimedMail } from '#db/mail/outbox.ts'
import type { Delivery, Mailer } from '../integrations/mail/mailer.ts'
import { renderMail, type RenderedMail } from '../integrations/mail/render-mail.ts'
import { unsealMail } from './sealed-mail.ts'
import type { JobContext } from '../job-context.ts'
import { countEvent } from '../metrics.ts'
import { withResponseTimeout } from '../with-response-timeout.ts'

const batchSize = 10
/** The timeout of one attempt. With its database work it ends well within the lease. */
const attemptTimeoutMs = 60_000
const leaseMs = 5 * 60_000
/** More than two days with the pauses (RFC 5321, section 4.5.4.1, recommends four to five). */
const maxAttempts = 60
const firstPauseMs = 30_000
const longestPauseMs = 3_600_000

/** The pause after the n-th failed attempt: exponential, with jitter. */
export const pauseAfter = (attempts: number, random: () => number = Math.random): number =>
  Math.round(Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs) * (0.75 + random() / 2))

/**
 * Sends due mail in batches until none is due or `signal` aborts. A mail is claimed before it is
 * sent, so only one process sends it. If a process dies between sending and recording, the mail is
 * sent again with the same Message-ID.
 * @param keep whether the text of sent mail stays in the outbox
 */
export async function sendDueMails(
  ctx: JobContext,
  mailer: Mailer,
  { keep, signal }: { keep: boolean; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const now = ctx.now()
    const mails = await claimMails(ctx.db, {
      now,
      leaseEnds: new Date(now.getTime() + leaseMs),
      limit: batchSize,
    })
    if (mails.length === 0) return
    await Promise.all(mails.map((mail) => sendOne(ctx, mailer, mail, { keep, signal })))
  }
}

async function sendOne(
  ctx: JobContext,
  mailer: Mailer,
  mail: ClaimedMail,
  { keep, signal }: { keep: boolean; signal: AbortSignal },
): Promise<void> {
  const { id, attempts } = mail
  const delivery = await attemptDelivery(ctx, mailer, mail, signal)
  const now = ctx.now()
  if (delivery.outcome === 'sent') {
    countEvent(ctx, 'emails_sent')
    return markMailSent(ctx.db, { id, now, keep })
  }
  const details = { outboxId: id, attempts, code: delivery.code }
  if (delivery.outcome === 'rejected' || attempts >= maxAttempts) {
    ctx.log.error(details, 'mail failed permanently')
    countEvent(ctx, 'emails_failed')
    return markMailFailed(ctx.db, { id, now })
  }
  ctx.log.warn(details, 'mail not sent yet')
  // We aborted this attempt ourselves, so the next process retries at once.
  const pause = signal.aborted ? 0 : pauseAfter(attempts)
  return postponeMail(ctx.db, { id, attempts, dueAt: new Date(now.getTime() + pause) })
}

async function attemptDelivery(
  ctx: JobContext,
  mailer: Mailer,
  { id, sealedMail, createdAt }: ClaimedMail,
  signal: AbortSignal,
): Promise<Delivery> {
  let mail: RenderedMail
  try {
    mail = await renderMail(unsealMail(ctx.keys, id, sealedMail))
  } catch (error) {
    // A mail that cannot be decrypted must not block the others. Its key may be restored later.
    ctx.log.error({ err: error, outboxId: id }, 'mail could not be decrypted')
    return { outcome: 'failed', code: 'SEALED' }
  }
  return withResponseTimeout(
    attemptTimeoutMs,
    (limit) => mailer.send({ ...mail, id, date: createdAt }, limit),
    signal,
  )
}
