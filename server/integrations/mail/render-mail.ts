import type { Mail, PlainMail } from '#server/integrations/mail/mail-message.ts'

/** A mail as it leaves: its text, and beside it the same as HTML where it has a template. */
export type RenderedMail = PlainMail & { html: string | null }

/** Writes a mail out. Done when it is sent or shown, so that queueing one costs a use case nothing. */
export async function renderMail(mail: Mail): Promise<RenderedMail> {
  if (!('template' in mail)) return { ...mail, html: null }
  // Loaded with the first such mail: rendering is no part of a start.
  const { renderTemplate } = await import('./templates/render-template.tsx')
  return { to: mail.to, ...(await renderTemplate(mail)) }
}
