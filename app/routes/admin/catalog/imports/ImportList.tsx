import type { ImportStatus } from '#domain/catalog/csv-imports.ts'
import { paths } from '#domain/paths.ts'
import type { ImportSummary } from '#server/catalog/csv/get-import.ts'
import { Link } from '../../../../render/Link.tsx'
import { importStatusLabels } from './status-messages.ts'

type ImportListProps = { imports: readonly ImportSummary[] }

const dateTimeFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** The recently uploaded files. */
export const ImportList = ({ imports }: ImportListProps) => (
  <section aria-labelledby="recent" className="mt-6">
    <h2 id="recent" className="mb-2">
      Recent files
    </h2>
    {imports.length === 0 ? (
      <p className="text-muted">No files yet. Uploaded files are kept for a week.</p>
    ) : (
      <div className="data-grid">
        <table>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col" className="text-end">
                Lines
              </th>
              <th scope="col">Status</th>
              <th scope="col">Uploaded</th>
            </tr>
          </thead>
          <tbody>
            {imports.map(({ id, fileName, rowCount, status, createdAt }) => (
              <tr key={id}>
                <td>
                  <Link to={paths.admin.import(id)} className="text-link">
                    {fileName}
                  </Link>
                </td>
                <td className="text-end tabular-nums">{rowCount.toLocaleString('en-US')}</td>
                <td>{importStatusLabels[status satisfies ImportStatus]}</td>
                <td>{dateTimeFormat.format(new Date(createdAt))} UTC</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
)
