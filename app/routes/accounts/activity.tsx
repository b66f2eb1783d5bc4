import { readActivity, type Activity as Entry } from '#server/accounts/list-activity.ts'
import { cacheControl } from '../../http/cache.server.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { contextOf } from '../../http/request-context.server.ts'
import { signedInOrLed } from '../../http/require-signed-in.server.ts'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { CircleUser, ShieldCheck, Users } from '../../ui/icons.tsx'
import { Link } from '../../ui/Link.tsx'
import type { Route } from './+types/activity'
import { AccountPage } from './AccountPage.tsx'

const path = '/account/activity'

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  signedInOrLed(args, path)
  const ctx = contextOf(args)
  const { searchParams } = new URL(args.request.url)
  const before = searchParams.get('before')
  const othersOnly = searchParams.get('who') === 'others'
  const { activities, next } = await readActivity(ctx, { before, othersOnly })
  return {
    othersOnly,
    isFirst: before === null,
    next,
    entries: activities.map(({ id, at, by, words }) => ({ id, at: at.toISOString(), by, words })),
  }
})

export const headers: Route.HeadersFunction = () => ({ 'Cache-Control': cacheControl(false) })

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Who looked at your data',
    description: 'Every look at your data and every change to it: by whom, and when.',
    noindex: true,
  })

const queryOf = (othersOnly: boolean, before?: string): string => {
  const query = new URLSearchParams({
    ...(othersOnly && { who: 'others' }),
    ...(before !== undefined && { before }),
  }).toString()
  return query === '' ? path : `${path}?${query}`
}

export default function Activity({ loaderData }: Route.ComponentProps) {
  const { entries, othersOnly, isFirst, next } = loaderData
  return (
    <AccountPage
      title="Who looked at your data"
      lead="Every look at your profile, your prescriptions and your ID document is written down, and nobody can change the list."
    >
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <section aria-labelledby="list">
          <div className="mb-2 flex flex-wrap items-center justify-between gap-x-3">
            <h2 id="list" className="text-lg">
              Activity
            </h2>
            <nav aria-label="Whose acts" className="flex gap-4">
              <Choice to={queryOf(false)} current={!othersOnly}>
                Everybody
              </Choice>
              <Choice to={queryOf(true)} current={othersOnly}>
                Others only
              </Choice>
            </nav>
          </div>
          {entries.length === 0 ? (
            <div className="card">
              <EmptyState icon={<ShieldCheck />} title={isFirst ? 'Nobody yet' : 'Nothing earlier'}>
                {othersOnly
                  ? 'Nobody but you has looked at your data or changed it.'
                  : 'There is nothing before this.'}
              </EmptyState>
            </div>
          ) : (
            <ol className="card divide-y divide-line">
              {entries.map((entry) => (
                <Row key={entry.id} entry={entry} />
              ))}
            </ol>
          )}
          {isFirst && next === null ? null : (
            <nav aria-label="Pages" className="mt-5 flex flex-wrap justify-between gap-3">
              {isFirst ? <span /> : <LinkButton to={queryOf(othersOnly)}>Newest</LinkButton>}
              {next === null ? null : <LinkButton to={queryOf(othersOnly, next)}>Earlier</LinkButton>}
            </nav>
          )}
        </section>
        <YourRights />
      </div>
    </AccountPage>
  )
}

const Choice = ({ to, current, children }: { to: string; current: boolean; children: string }) => (
  <Link
    to={to}
    aria-current={current ? 'page' : undefined}
    className={
      current
        ? 'inline-flex min-h-11 items-center font-semibold'
        : 'text-link inline-flex min-h-11 items-center'
    }
  >
    {children}
  </Link>
)

type RowProps = { entry: { at: string; by: Entry['by']; words: string } }

function Row({ entry: { at, by, words } }: RowProps) {
  const Icon = by.kind === 'self' ? CircleUser : Users
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <Icon className={by.kind === 'staff' ? 'icon mt-0.5 text-accent' : 'icon mt-0.5 text-muted'} />
      <p className="min-w-0 flex-1 sm:flex sm:gap-4">
        <span className="min-w-0 flex-1">
          <b className="font-semibold">{nameOf(by)}</b> {words}
        </span>{' '}
        <time dateTime={at} className="block text-sm whitespace-nowrap text-muted sm:pt-0.5">
          {moment(at)}
        </time>
      </p>
    </li>
  )
}

function nameOf(by: Entry['by']): string {
  if (by.kind === 'self') return 'You'
  if (by.kind === 'shop') return 'Meridian'
  return by.firstName === null ? 'The pharmacy’s staff' : `${by.firstName}, of the pharmacy’s staff,`
}

const moment = (iso: string): string => {
  const day = new Date(iso).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  return `${day}, ${iso.slice(11, 16)} UTC`
}

/** What else one may ask of the shop about one's own data. */
const YourRights = () => (
  <div className="grid gap-6 md:max-lg:grid-cols-2">
    <section aria-labelledby="download" className="card p-5">
      <h2 id="download" className="text-lg">
        Take your data with you
      </h2>
      <p className="mt-2">
        Everything we hold about you in one zip file: your details as JSON, and your documents as you uploaded
        them.
      </p>
      {/* A post, so that no link and nothing that is fetched ahead starts it; the browser's own, for it is a file. */}
      <form method="post" action="/account/download" className="mt-4">
        <Button className="w-full">Download my data</Button>
      </form>
    </section>
    <section aria-labelledby="delete" className="card p-5">
      <h2 id="delete" className="text-lg">
        Delete your account
      </h2>
      <p className="mt-2">
        Your key is destroyed, and what it sealed can never be read again. There is no way back.
      </p>
      <LinkButton to="/account/delete" className="mt-4 w-full">
        Delete my account
      </LinkButton>
    </section>
  </div>
)
