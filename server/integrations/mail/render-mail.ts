import type { Mail, PlainMail } from '#server/integrations/mail/mail-message.ts'

/** A mail ready to send: plain text, and the same as HTML when it has a template. */
export type RenderedMail = PlainMail & { html: string | null }

/** Renders a mail. Done when it is sent or shown, so that queueing stays cheap for the use case. */
export async function renderMail(mail: Mail): Promise<RenderedMail> {
  if (!('template' in mail)) return { ...mail, html: null }
  // Loaded with the first such mail, to keep the start fast.
  const { renderTemplate } = await import('./templates/render-template.tsx')
  return { to: mail.to, ...(await renderTemplate(mail)) }
}
