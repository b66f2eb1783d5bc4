import type { CSSProperties, ReactNode } from 'react'
import type { MailTemplate, TemplateProps } from '#server/integrations/mail/mail-message.ts'

/** A mail template: the subject and the body. */
export type Template<Name extends MailTemplate> = {
  subject: (props: TemplateProps<Name>) => string
  body: (props: TemplateProps<Name>) => ReactNode
}

/**
 * The light theme of app/app.css in sRGB, because mail clients do not support oklch(). Inline,
 * because some remove every style sheet.
 */
const styles = {
  page: {
    margin: 0,
    padding: '24px 16px',
    backgroundColor: '#eff7f6',
    color: '#04191f',
    fontFamily: 'Figtree, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif',
    fontSize: '16px',
    lineHeight: 1.6,
  },
  column: { maxWidth: '560px', margin: '0 auto' },
  name: { margin: '0 0 16px', fontSize: '20px', fontWeight: 650, color: '#016869' },
  card: {
    padding: '28px 24px 12px',
    backgroundColor: '#f9fdfc',
    border: '1px solid #dce7e6',
    borderRadius: '12px',
  },
  title: { margin: '0 0 16px', fontSize: '25px', lineHeight: 1.25, fontWeight: 650 },
  paragraph: { margin: '0 0 16px' },
  action: {
    display: 'inline-block',
    margin: '8px 0 20px',
    padding: '10px 20px',
    backgroundColor: '#016869',
    color: '#f5fefe',
    borderRadius: '8px',
    fontWeight: 600,
    textDecoration: 'none',
  },
  aside: { margin: '0 0 16px', fontSize: '14px', color: '#3c4b4e' },
  foot: { margin: '16px 0 0', fontSize: '14px', color: '#3c4b4e' },
  link: { color: '#016869' },
} satisfies Record<string, CSSProperties>

/** The dark theme, for clients that support it. `!important` overrides the inline styles. */
const darkStyles = `@media (prefers-color-scheme: dark) {
.page { background-color: #09161a !important; color: #e4edee !important }
.card { background-color: #101d21 !important; border-color: #1f3137 !important }
.name, .link { color: #51cec7 !important }
.action { background-color: #51cec7 !important; color: #002020 !important }
.muted { color: #a9b3b5 !important }
}`

/** The layout of every mail. It loads no remote content, so it cannot track when it was opened. */
export const MailFrame = ({ title, children }: { title: string; children: ReactNode }) => (
  <html lang="en" dir="ltr">
    <head>
      <meta httpEquiv="Content-Type" content="text/html; charset=utf-8" />
      <meta name="viewport" content="width=device-width" />
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      {/* Prevents phones from turning numbers into links. */}
      <meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no" />
      <title>{title}</title>
      <style dangerouslySetInnerHTML={{ __html: darkStyles }} />
    </head>
    <body className="page" style={styles.page}>
      <div style={styles.column}>
        <p className="name" style={styles.name}>
          Meridian
        </p>
        <div className="card" style={styles.card}>
          <h1 style={styles.title}>{title}</h1>
          {children}
        </div>
        <p className="muted" style={styles.foot}>
          You’re receiving this email because it concerns your account. We’ll never ask for your password by
          email.
        </p>
      </div>
    </body>
  </html>
)

export const Paragraph = ({ children }: { children: ReactNode }) => <p style={styles.paragraph}>{children}</p>

/** The call to action: a button; in plain text its label with the URL below it. */
export const Action = ({ href, children }: { href: string; children: ReactNode }) => (
  <div>
    <a className="action" href={href} style={styles.action}>
      {children}
      {/* Invisible at the end of a line; puts the URL on its own line in plain text. */}
      <br />
    </a>
  </div>
)

/** Additional information at the end. */
export const Aside = ({ children }: { children: ReactNode }) => (
  <p className="muted" style={styles.aside}>
    {children}
  </p>
)

export const TextLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a className="link" href={href} style={styles.link}>
    {children}
  </a>
)

export const SupportLink = ({ supportEmail }: { supportEmail: string }) => (
  <a className="link" href={`mailto:${supportEmail}`} style={styles.link}>
    {supportEmail}
  </a>
)

/** What to do if the recipient did not make the change. */
export const NotYouNotice = ({ supportEmail }: { supportEmail: string }) => (
  <Paragraph>
    If this wasn’t you, email <SupportLink supportEmail={supportEmail} /> right away: someone else may have
    access to your account.
  </Paragraph>
)

/** "60" → "1 hour", "30" → "30 minutes". */
export function formatMinutes(minutes: number): string {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
