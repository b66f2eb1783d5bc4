import type { ReplicaState } from '#domain/replica.ts'
import { getStatus, type RunView, type VerificationView } from '#server/monitoring/get-status.ts'
import type { ReactNode } from 'react'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { SecondChecksWarning } from '../accounts/SecondChecksWarning.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { formatUtc } from '../frame/format-date-time.ts'
import { Table } from '../frame/Table.tsx'
import type { Route } from './+types/status'

export const loader = adminLoader('settings.write', async (ctx) => ({
  ...(await getStatus(ctx)),
  now: ctx.now,
  build: __BUILD_ID__,
}))

/** What an operator looks at first: failures, queues, and what must be renewed. */
export default function Status({ loaderData }: Route.ComponentProps) {
  const {
    queues,
    jobs,
    verifications,
    backups,
    lists,
    missingLists,
    database,
    node,
    build,
    now,
    lacksPharmacist,
  } = loaderData
  const outdated = lists.filter((list) => list.isOutdated)
  return (
    <AdminPage title="Status">
      <p className="mb-4 max-w-3xl text-muted">
        As of {formatUtc(now)}. What each value means, and what to do about it, is in{' '}
        <code>docs/operations.md</code>.
      </p>
      {lacksPharmacist ? <SecondChecksWarning /> : null}
      <div className="space-y-8">
        <Section title="Backups and checks">
          <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
            {backups.some(({ name }) => name === 'backup') ? null : (
              <Fact name={backupNames.backup}>
                <Badge tone="warning">No backup recorded</Badge>
              </Fact>
            )}
            {backups.map((run) => (
              <Fact key={run.name} name={backupNames[run.name] ?? run.name}>
                <LastRun run={run} now={now} />
              </Fact>
            ))}
            {verifications.map((verification) => (
              <Fact key={verification.name} name={verificationNames[verification.name] ?? verification.name}>
                <Verification verification={verification} now={now} />
              </Fact>
            ))}
            <Fact name="Screening lists">
              {lists.length === 0 ? (
                <Badge tone="warning">None imported</Badge>
              ) : (
                <>
                  {lists.length} imported, the oldest{' '}
                  {daysOld(Math.max(...lists.map((list) => list.ageInDays)))}{' '}
                  {outdated.length > 0 ? <Badge tone="warning">{`${outdated.length} outdated`}</Badge> : null}{' '}
                  {missingLists.length > 0 ? (
                    <Badge tone="warning">{`${missingLists.length} missing`}</Badge>
                  ) : null}
                </>
              )}
            </Fact>
          </dl>
        </Section>
        <Section title="Queues">
          <Table label="Queues" headers={['Queue', 'Waiting', 'Oldest', 'Oldest failing', 'Given up']}>
            {queues.map(({ name, waiting, oldest, retriedSince, failed }) => (
              <tr key={name}>
                <td>{toWords(name)}</td>
                <td className="tabular-nums">{waiting.toLocaleString('en-US')}</td>
                <td>{oldest ? ago(oldest, now) : '–'}</td>
                <td>{retriedSince ? ago(retriedSince, now) : '–'}</td>
                <td className="tabular-nums">
                  {failed > 0 ? <Badge tone="error">{failed.toLocaleString('en-US')}</Badge> : '0'}
                </td>
              </tr>
            ))}
          </Table>
        </Section>
        <Section title="Jobs">
          {jobs.length === 0 ? (
            <p>No job has reported yet. Each reports within a minute of its first run.</p>
          ) : (
            <Table label="Jobs" headers={['Job', 'State', 'Last success', 'Last error', 'Took']}>
              {jobs.map((job) => (
                <tr key={job.name}>
                  <td>{toWords(job.name)}</td>
                  <td>
                    {job.isFailing ? <Badge tone="error">Failing</Badge> : <Badge tone="success">OK</Badge>}
                  </td>
                  <td>{job.succeededAt ? ago(job.succeededAt, now) : 'Never'}</td>
                  <td>{job.failedAt ? `${job.failure ?? 'Unknown'}, ${ago(job.failedAt, now)}` : '–'}</td>
                  <td className="tabular-nums">{job.durationMs === null ? '–' : `${job.durationMs} ms`}</td>
                </tr>
              ))}
            </Table>
          )}
        </Section>
        <Section title="Version">
          <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
            <Fact name="Build">
              <code>{build}</code>
            </Fact>
            <Fact name="Database">
              {database.engine === 'sqlite' ? 'SQLite' : 'Postgres'}, migrated to{' '}
              <code>{database.migration}</code>
            </Fact>
            {database.replica ? (
              <Fact name="Replica">
                <Replica replica={database.replica} />
              </Fact>
            ) : null}
            <Fact name="Node">{node}</Fact>
          </dl>
        </Section>
      </div>
    </AdminPage>
  )
}

const backupNames: Record<string, string> & { backup: string } = {
  backup: 'Last backup',
  'base-backup': 'Last base backup',
}

const verificationNames: Record<string, string> = {
  audit: 'Audit log',
  stock: 'Stock',
  fills: 'Fills',
  restore: 'Restore drill',
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h2 className="mb-2 font-semibold">{title}</h2>
    {children}
  </section>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd>{children}</dd>
  </>
)

function Verification({ verification, now }: { verification: VerificationView; now: Date }) {
  const { run, command } = verification
  if (run) return <LastRun run={run} now={now} />
  return (
    <>
      <Badge tone="warning">Never verified</Badge> Run <code>{command}</code>.
    </>
  )
}

/** As the process that answers knows it. */
const Replica = ({ replica: { problem, lagSeconds } }: { replica: ReplicaState }) => (
  <>
    {problem === null ? (
      <Badge tone="success">In use</Badge>
    ) : (
      <Badge tone="warning">{`Not in use: ${problem}`}</Badge>
    )}
    {lagSeconds === null ? null : `, at most ${Math.ceil(lagSeconds)} s behind`}
  </>
)

function LastRun({ run, now }: { run: RunView; now: Date }) {
  const { succeededAt, failedAt, failure, summary } = run
  const result = summary ? `, ${summary.replace('=', ': ')}` : null
  const success = succeededAt ? ago(succeededAt, now) : null
  if (!run.isFailing || !failedAt)
    return (
      <>
        <Badge tone="success">OK</Badge> {success}
        {result}
      </>
    )
  // A run that an error stopped has no result: what is stored is that of a run before.
  const reason = failure === 'FINDINGS' ? result : `, ${failure ?? 'Unknown'}`
  return (
    <>
      <Badge tone="error">Failed</Badge> {ago(failedAt, now)}
      {reason}
      {success ? `, last success ${success}` : ', no success yet'}
    </>
  )
}

/** "audit_chain" as "Audit chain". */
const toWords = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

const daysOld = (days: number): string =>
  days === 1 ? '1 day old' : `${days.toLocaleString('en-US')} days old`

/** "3 minutes ago". */
function ago(date: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - date.getTime()) / 1000))
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3600
        ? [Math.floor(seconds / 60), 'minute']
        : seconds < 86_400
          ? [Math.floor(seconds / 3600), 'hour']
          : [Math.floor(seconds / 86_400), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}
