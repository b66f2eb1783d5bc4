import { AppError } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { ContentPage } from '../../components/ContentPage.tsx'
import { cacheControl } from '../../http/cache.server.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { Badge } from '../../ui/Badge.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Inbox } from '../../ui/icons.tsx'
import type { Route } from './+types/outbox'

/**
 * Mail that development and the demo would have sent. Production has no such page: mail is private.
 */
export const loader = pageLoader(async ({ context }: Route.LoaderArgs) => {
  const { ctx, env } = context.get(requestContext)
  if (env.mode === 'production') throw new AppError('NOT_FOUND', '404 Page Not Found')
  const mails = await listOutbox(ctx)
  return {
    from: env.mail.from,
    mails: mails.map(({ id, to, replyTo, subject, text, state, createdAt }) => ({
      id,
      subject,
      state,
      text: splitLinks(text, env.publicOrigin),
      to: to.address,
      replyTo: replyTo ? `${replyTo.name ?? ''} <${replyTo.address}>`.trim() : null,
      createdAt: createdAt.toISOString(),
    })),
  }
})

export const headers: Route.HeadersFunction = () => ({ 'Cache-Control': cacheControl('private') })

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, { title: 'Demo outbox', description: 'Email from the demo shop.', noindex: true })

/**
 * Splits a mail's text and links the shop's own URLs, so that a demo user can follow them. Other
 * URLs are visitors' input and stay plain text.
 */
function splitLinks(mailText: string, origin: string): { text: string; path: string | null }[] {
  return mailText.split(/(https?:\/\/\S+)/).map((text) => ({
    text,
    path: URL.canParse(text) && new URL(text).origin === origin ? text.slice(origin.length) : null,
  }))
}

const states = {
  stored: { tone: 'neutral', label: 'Stored here' },
  sent: { tone: 'success', label: 'Sent' },
  failed: { tone: 'error', label: 'Failed' },
} as const

const formatTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

export default function Outbox({ loaderData: { from, mails } }: Route.ComponentProps) {
  return (
    <ContentPage title="Demo outbox" lead="Email from this shop, newest first. Only the demo has this page.">
      {mails.length === 0 ? (
        <EmptyState
          icon={<Inbox />}
          title="No email yet"
          actions={<LinkButton to={paths.contact}>Write a message</LinkButton>}
        >
          Email to customers and support will appear here.
        </EmptyState>
      ) : (
        <ol className="max-w-4xl space-y-4">
          {mails.map((mail) => (
            <li key={mail.id} className="card overflow-hidden">
              <div className="border-b border-line bg-base-200 p-4">
                <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <h2 className="font-semibold">{mail.subject}</h2>
                  <Badge tone={states[mail.state].tone}>{states[mail.state].label}</Badge>
                  <time dateTime={mail.createdAt} className="text-sm text-muted sm:ms-auto">
                    {formatTime(mail.createdAt)}
                  </time>
                </div>
                <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 text-sm">
                  <Fact name="From">{from}</Fact>
                  <Fact name="To">{mail.to}</Fact>
                  {mail.replyTo ? <Fact name="Reply to">{mail.replyTo}</Fact> : null}
                </dl>
              </div>
              <p className="p-4 wrap-anywhere whitespace-pre-wrap">
                {mail.text.map(({ text, path }, index) =>
                  path === null ? (
                    text
                  ) : (
                    <a key={index} href={path} className="text-link">
                      {text}
                    </a>
                  ),
                )}
              </p>
            </li>
          ))}
        </ol>
      )}
    </ContentPage>
  )
}

const Fact = ({ name, children }: { name: string; children: string }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </>
)
