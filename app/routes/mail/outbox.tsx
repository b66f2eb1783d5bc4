import { AppError } from '#domain/errors.ts'
import { readOutbox } from '#server/mail/list-outbox.ts'
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

/** What development and the demo would have sent. A production shop has no such page: mail is nobody else's. */
export const loader = pageLoader(async ({ context }: Route.LoaderArgs) => {
  const { ctx, env } = context.get(requestContext)
  if (env.mode === 'production') throw new AppError('NOT_FOUND', '404 Page Not Found')
  const mails = await readOutbox(ctx)
  return {
    from: env.mail.from,
    mails: mails.map(({ id, to, replyTo, subject, text, state, createdAt }) => ({
      id,
      subject,
      state,
      text: partsOf(text, env.publicOrigin),
      to: to.address,
      replyTo: replyTo ? `${replyTo.name ?? ''} <${replyTo.address}>`.trim() : null,
      createdAt: createdAt.toISOString(),
    })),
  }
})

export const headers: Route.HeadersFunction = () => ({ 'Cache-Control': cacheControl(false) })

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, { title: 'Demo outbox', description: 'Mail that this demo keeps.', noindex: true })

/**
 * A mail's words, with the addresses of this shop as links: whoever tries the demo out follows them from here. Other addresses
 * are what a visitor wrote, and stay words.
 */
function partsOf(text: string, origin: string): { words: string; path: string | null }[] {
  return text.split(/(https?:\/\/\S+)/).map((words) => ({
    words,
    path: URL.canParse(words) && new URL(words).origin === origin ? words.slice(origin.length) : null,
  }))
}

const states = {
  kept: { tone: 'neutral', words: 'Kept here' },
  sent: { tone: 'success', words: 'Sent' },
  failed: { tone: 'error', words: 'Given up' },
} as const

const moment = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

export default function Outbox({ loaderData: { from, mails } }: Route.ComponentProps) {
  return (
    <ContentPage
      title="Demo outbox"
      lead="Mail that this shop has written, the newest first. Without a mail server it stays here; a production shop has no such page."
    >
      {mails.length === 0 ? (
        <EmptyState
          icon={<Inbox />}
          title="No mail yet"
          actions={<LinkButton to="/contact">Write a message</LinkButton>}
        >
          What the shop writes to customers and to its support appears here.
        </EmptyState>
      ) : (
        <ol className="max-w-4xl space-y-4">
          {mails.map((mail) => (
            <li key={mail.id} className="card overflow-hidden">
              <div className="border-b border-line bg-base-200 p-4">
                <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <h2 className="font-semibold">{mail.subject}</h2>
                  <Badge tone={states[mail.state].tone}>{states[mail.state].words}</Badge>
                  <time dateTime={mail.createdAt} className="text-sm text-muted sm:ms-auto">
                    {moment(mail.createdAt)}
                  </time>
                </div>
                <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 text-sm">
                  <Fact name="From">{from}</Fact>
                  <Fact name="To">{mail.to}</Fact>
                  {mail.replyTo ? <Fact name="Reply to">{mail.replyTo}</Fact> : null}
                </dl>
              </div>
              <p className="p-4 wrap-anywhere whitespace-pre-wrap">
                {mail.text.map(({ words, path }, index) =>
                  path === null ? (
                    words
                  ) : (
                    <a key={index} href={path} className="text-link">
                      {words}
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
