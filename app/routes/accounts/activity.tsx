import { formatDay } from '#domain/format-day.ts'
import { paths } from '#domain/paths.ts'
import { listActivity, type Activity as Entry, type ActivityFilter } from '#server/accounts/list-activity.ts'
import { cacheControl } from '../../http/cache.server.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { getContext } from '../../http/request-context.server.ts'
import { requireSignedIn } from '../../http/require-signed-in.server.ts'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { CircleUser, ShieldCheck, Users } from '../../ui/icons.tsx'
import { Link } from '../../render/Link.tsx'
import type { Route } from './+types/activity'
import { AccountPage } from './AccountPage.tsx'

const path = paths.account.activity

export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  requireSignedIn(args, path)
  const ctx = getContext(args)
  const { searchParams } = new URL(args.request.url)
  const before = searchParams.get('before')
  const filter = parseFilter(searchParams.get('who'))
  const { activities, next } = await listActivity(ctx, { before, filter })
  return {
    filter,
    isFirst: before === null,
    next,
    entries: activities.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() })),
  }
})

export const headers: Route.HeadersFunction = () => ({ 'Cache-Control': cacheControl('private') })

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Who viewed your data',
    description: 'See who viewed or changed your data and who signed in, and when.',
    noindex: true,
  })

const parseFilter = (who: string | null): ActivityFilter =>
  who === 'others' || who === 'sign-ins' ? who : 'all'

const buildQuery = (filter: ActivityFilter, before?: string): string => {
  const query = new URLSearchParams({
    ...(filter !== 'all' && { who: filter }),
    ...(before !== undefined && { before }),
  }).toString()
  return query === '' ? path : `${path}?${query}`
}

export default function Activity({ loaderData }: Route.ComponentProps) {
  const { entries, filter, isFirst, next } = loaderData
  return (
    <AccountPage
      title="Who viewed your data"
      intro="We log every time someone views or changes your profile, prescriptions or ID document, and every attempt to sign in. The log can’t be changed."
    >
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <section aria-labelledby="list">
          <div className="mb-2 flex flex-wrap items-center justify-between gap-x-3">
            <h2 id="list" className="text-lg">
              Activity
            </h2>
            <nav aria-label="Filter activity" className="flex flex-wrap gap-x-4">
              <Choice to={buildQuery('all')} current={filter === 'all'}>
                Everyone
              </Choice>
              <Choice to={buildQuery('others')} current={filter === 'others'}>
                Others only
              </Choice>
              <Choice to={buildQuery('sign-ins')} current={filter === 'sign-ins'}>
                Sign-ins
              </Choice>
            </nav>
          </div>
          {entries.length === 0 ? (
            <div className="card">
              <EmptyState icon={<ShieldCheck />} title={isFirst ? 'No activity yet' : 'No earlier activity'}>
                {emptySentence(isFirst, filter)}
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
              {isFirst ? <span /> : <LinkButton to={buildQuery(filter)}>Newest</LinkButton>}
              {next === null ? null : <LinkButton to={buildQuery(filter, next)}>Earlier</LinkButton>}
            </nav>
          )}
        </section>
        <YourRights />
      </div>
    </AccountPage>
  )
}

function emptySentence(isFirst: boolean, filter: ActivityFilter): string {
  if (!isFirst) return 'You’ve reached the start of the log.'
  if (filter === 'others') return 'No one but you has viewed or changed your data.'
  if (filter === 'sign-ins') return 'When someone signs in or tries to, it appears here.'
  return 'When someone views or changes your data, it appears here.'
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

type RowProps = { entry: Pick<Entry, 'by' | 'description' | 'device' | 'reason'> & { at: string } }

function Row({ entry: { at, by, description, device, reason } }: RowProps) {
  const Icon = by.kind === 'self' ? CircleUser : Users
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <Icon className={by.kind === 'staff' ? 'icon mt-0.5 text-accent' : 'icon mt-0.5 text-muted'} />
      <p className="min-w-0 flex-1 sm:flex sm:gap-4">
        <span className="min-w-0 flex-1">
          <b className="font-semibold">{actorName(by)}</b> {description}
          {device === null ? null : <span className="block text-sm text-muted">From {device}</span>}
          {reason === null ? null : <span className="block text-sm text-muted">Reason: {reason}</span>}
        </span>{' '}
        <time dateTime={at} className="block text-sm text-muted sm:pt-0.5 sm:whitespace-nowrap">
          {moment(at)}
        </time>
      </p>
    </li>
  )
}

function actorName(by: Entry['by']): string {
  if (by.kind === 'self') return 'You'
  if (by.kind === 'shop') return 'Meridian'
  if (by.kind === 'unknown') return 'Someone'
  return by.firstName === null ? 'Pharmacy staff' : `${by.firstName} (pharmacy staff)`
}

const moment = (iso: string): string => `${formatDay(iso)}, ${iso.slice(11, 16)} UTC`

/** The customer's other rights over their data. */
const YourRights = () => (
  <div className="grid gap-6 md:max-lg:grid-cols-2">
    <section aria-labelledby="download" className="card p-5">
      <h2 id="download" className="text-lg">
        Download your data
      </h2>
      <p className="mt-2">
        Everything we have about you in one zip file: your details as JSON and the documents you uploaded.
      </p>
      {/*
       * A POST, so that neither a link nor prefetching starts it, and a plain form, because the
       * response is a file.
       */}
      <form method="post" action={paths.account.download} className="mt-4">
        <Button className="w-full">Download my data</Button>
      </form>
    </section>
    <section aria-labelledby="delete" className="card p-5">
      <h2 id="delete" className="text-lg">
        Delete your account
      </h2>
      <p className="mt-2">
        Your encryption key is destroyed, and your data can never be read again. You can’t undo this.
      </p>
      <LinkButton to={paths.account.delete} className="mt-4 w-full">
        Delete my account
      </LinkButton>
    </section>
  </div>
)
