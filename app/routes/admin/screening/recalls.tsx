import { adminPaths } from '#domain/admin-paths.ts'
import { listRecalls, type RecallSummary } from '#server/recalls/list-recalls.ts'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { Link } from '../../../render/Link.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Quantities } from '../../../ui/data-grid/Quantities.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useCan } from '../frame/use-can.ts'
import type { Route } from './+types/recalls'
import { RecallNote } from './RecallNote.tsx'

export const loader = adminLoader('lists.read', (ctx) => listRecalls(ctx))

/** The recalls of packages in the catalog. */
export default function RecallsPage({ loaderData }: Route.ComponentProps) {
  const { recalls, isCut, listDate } = loaderData
  const can = useCan()
  return (
    <AdminPage title="Recalls" back={{ to: adminPaths.screeningLists, label: 'Screening' }}>
      {can('settings.write') ? (
        <p className="mb-3">
          <Link to={adminPaths.careImports} className="text-link">
            Import recalls or shortages
          </Link>
        </p>
      ) : null}
      <RecallNote listDate={listDate} />
      {recalls.length === 0 ? (
        <p className="card p-4 text-muted">No entry found in the lists for the packages in the catalog.</p>
      ) : (
        <RecallTable recalls={recalls} />
      )}
      {isCut ? <p className="mt-3 text-muted">Only the newest {recalls.length} are shown.</p> : null}
    </AdminPage>
  )
}

const RecallTable = ({ recalls }: { recalls: readonly RecallSummary[] }) => (
  <div className="data-grid">
    <table aria-label="Recalls">
      <thead>
        <tr>
          <th scope="col">Recall</th>
          <th scope="col">Status</th>
          <th scope="col">Lots</th>
          <th scope="col" className="text-end">
            Orders notified
          </th>
          <th scope="col">Product</th>
        </tr>
      </thead>
      <tbody>
        {recalls.map((recall) => (
          <tr key={recall.id} className="align-top">
            <th scope="row" className="text-start">
              <Link to={adminPaths.recall(recall.id)} className="text-link">
                {recall.id}
              </Link>
              <span className="block text-muted">Class {recall.recallClass}</span>
            </th>
            <td className="whitespace-nowrap">
              <Badge {...(recall.status === 'Ongoing' && { tone: 'warning' })}>{recall.status}</Badge>
              <span className="block text-muted">{formatDay(recall.reported)}</span>
            </td>
            <td className="whitespace-nowrap">{recall.allLots ? 'All' : recall.lots || 'Not listed'}</td>
            <td className="text-end tabular-nums">{recall.notified}</td>
            <td className="min-w-72 whitespace-normal">
              <Quantities text={recall.product} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
