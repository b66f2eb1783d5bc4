import { adminPaths } from '#domain/admin-paths.ts'
import { withQuery } from '#domain/build-path.ts'
import { LinkButton } from '../../../../ui/Button.tsx'
import { Link } from '../../../../render/Link.tsx'
import { DateTime } from '../../frame/DateTime.tsx'
import { Table } from '../../frame/Table.tsx'
import { useCan } from '../../frame/use-can.ts'
import type { TabDataOf } from './tab-data.ts'

export function SignInsTab({
  id,
  data: { signIns, isPastFirstPage, next },
}: {
  id: string
  data: TabDataOf<'sign-ins'>
}) {
  const tabPath = adminPaths.user(id, { tab: 'sign-ins' })
  const can = useCan()
  return (
    <>
      {can('audit.read') ? (
        <p className="mb-3">
          <Link to={withQuery(adminPaths.audit, { about: id })} className="text-link">
            Who viewed or changed this account’s data
          </Link>
        </p>
      ) : null}
      <Table label="Sign-ins" headers={['Time', 'Event', 'From', 'Reason']}>
        {signIns.map((entry) => (
          <tr key={entry.id}>
            <td className="whitespace-nowrap">
              <DateTime at={entry.at} />
            </td>
            <td>
              <b>{actorLabel(entry.by)}</b> {entry.description}
            </td>
            <td>{entry.device ?? '–'}</td>
            <td>{entry.reason ?? '–'}</td>
          </tr>
        ))}
      </Table>
      {isPastFirstPage || next ? (
        <nav aria-label="Pages" className="mt-2 flex gap-2">
          {isPastFirstPage ? <LinkButton to={tabPath}>Newest</LinkButton> : null}
          {next ? <LinkButton to={`${tabPath}&after=${next}`}>Earlier</LinkButton> : null}
        </nav>
      ) : null}
    </>
  )
}

function actorLabel(by: TabDataOf<'sign-ins'>['signIns'][number]['by']): string {
  if (by.kind === 'self') return 'The user'
  if (by.kind === 'unknown') return 'Someone'
  if (by.kind === 'shop') return 'Meridian'
  return by.firstName ?? 'An admin'
}
