import type { Mailer } from './mailer.ts'

/** What sends mail, or null where there is no server to send it by: then it stays in the outbox. */
export async function openMailer(mail: { smtpUrl: string | null; from: string }): Promise<Mailer | null> {
  if (mail.smtpUrl === null) return null
  // Loaded only where mail is sent: the library is larger than all the rest of a page's work.
  const { openSmtp } = await import('./smtp.ts')
  return openSmtp(mail.smtpUrl, mail.from)
}
