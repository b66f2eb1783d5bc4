import type { ImportStatus } from '#domain/catalog/csv-imports.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import type { ImportSummary } from '#server/catalog/csv/get-import.ts'
import { Link } from '../../../../render/Link.tsx'
import { Table } from '../../frame/Table.tsx'
import { importStatusLabels } from './status-messages.ts'

type ImportListProps = { imports: readonly ImportSummary[]; total: number }

const dateTimeFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** The recently uploaded files. */
export const ImportList = ({ imports, total }: ImportListProps) => (
  <section aria-labelledby="recent" className="mt-6">
    <h2 id="recent" className="mb-2">
      Recent files
    </h2>
    {imports.length === 0 ? (
      <p className="text-muted">No files yet. Uploaded files are kept for a week.</p>
    ) : (
      <Table
        label="Recent files"
        headers={['File', 'Status', 'Uploaded', 'Lines']}
        count={{ shown: imports.length, total }}
      >
        {imports.map(({ id, fileName, rowCount, status, createdAt }) => (
          <tr key={id}>
            <td>
              <Link to={adminPaths.import(id)} className="text-link">
                {fileName}
              </Link>
            </td>
            <td>{importStatusLabels[status satisfies ImportStatus]}</td>
            <td className="whitespace-nowrap">{dateTimeFormat.format(new Date(createdAt))} UTC</td>
            <td className="tabular-nums">{rowCount.toLocaleString('en-US')}</td>
          </tr>
        ))}
      </Table>
    )}
  </section>
)
