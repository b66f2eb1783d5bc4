import type { Mailer } from './mailer.ts'

/** Opens the mailer, or returns null without a mail server: mail then stays in the outbox. */
export async function openMailer(mail: { smtpUrl: string | null; from: string }): Promise<Mailer | null> {
  if (mail.smtpUrl === null) return null
  // Loaded only when needed, because the library is large.
  const { openSmtp } = await import('./smtp.ts')
  return openSmtp(mail.smtpUrl, mail.from)
}
