import { adminPaths } from '#domain/admin-paths.ts'
import { withQuery } from '#domain/build-path.ts'
import type { ReactNode } from 'react'
import { Link } from '../../../render/Link.tsx'
import { LinkButton } from '../../../ui/Button.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import { Table } from '../frame/Table.tsx'
import type { Route } from './+types/audit-log'

type Page = NonNullable<Route.ComponentProps['loaderData']['page']>
type Entry = Page['entries'][number]
type AuditEntriesProps = { page: Page; params: Readonly<Record<string, string>>; shop: string }

/** A page of the audit log. */
export function AuditEntries({ page: { entries, next }, params, shop }: AuditEntriesProps) {
  const { before, ...filters } = params
  // In the log of one account, the column would repeat it.
  const isOfOne = filters['about'] !== undefined && filters['about'] !== ''
  return (
    <>
      {entries.length === 0 ? (
        <p className="card p-4 text-muted">
          {before === undefined ? 'No entries. Choose more days or another action.' : 'No earlier entries.'}
        </p>
      ) : (
        <Table
          label="Entries"
          headers={['Time', 'Who', 'Action', ...(isOfOne ? [] : ['About']), 'Reference']}
        >
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="whitespace-nowrap">
                <DateTime at={entry.at.toISOString()} />
              </td>
              <td className="whitespace-nowrap">{actorOf(entry)}</td>
              <td className="min-w-52">
                {entry.description}
                {entry.reason === null ? null : (
                  <span className="block text-muted">Reason: {entry.reason}</span>
                )}
              </td>
              {isOfOne ? null : <td className="whitespace-nowrap">{subjectOf(entry, shop)}</td>}
              <td className="text-muted">
                <Reference label="Object" id={entry.objectId} />
                <Reference label="Request" id={entry.requestId} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {before === undefined && next === null ? null : (
        <nav aria-label="Pages" className="mt-2 flex gap-2">
          {before === undefined ? null : (
            <LinkButton to={withQuery(adminPaths.audit, filters)}>Newest</LinkButton>
          )}
          {next === null ? null : (
            <LinkButton to={withQuery(adminPaths.audit, { ...filters, before: next })}>Earlier</LinkButton>
          )}
        </nav>
      )}
    </>
  )
}

function actorOf({ who }: Entry): ReactNode {
  switch (who.kind) {
    case 'staff':
      return (
        <Link to={withQuery(adminPaths.audit, { who: who.id })} className="text-link">
          {who.name}
        </Link>
      )
    case 'customer':
      return <AccountLink id={who.id} />
    case 'self':
      return 'The account’s owner'
    case 'unknown':
      return 'Someone'
    case 'shop':
      return 'Meridian'
    default:
      return who satisfies never
  }
}

const subjectOf = ({ about }: Entry, shop: string): ReactNode =>
  about === null ? 'An address without an account' : about === shop ? 'The shop' : <AccountLink id={about} />

/** The end of an id tells accounts apart; its start is a time. */
const AccountLink = ({ id }: { id: string }) => (
  <Link to={withQuery(adminPaths.audit, { about: id })} className="text-link">
    Account {id.slice(-8)}
  </Link>
)

const Reference = ({ label, id }: { label: string; id: string | null }) =>
  id === null ? null : (
    <span className="block whitespace-nowrap">
      {label} <code>{id}</code>
    </span>
  )
