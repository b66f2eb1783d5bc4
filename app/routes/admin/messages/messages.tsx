import { adminPaths } from '#domain/admin-paths.ts'
import { listWaitingThreads } from '#server/messages/list-thread.ts'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { Link } from '../../../render/Link.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { Table } from '../frame/Table.tsx'
import { DateTime } from '../orders/AdminCard.tsx'
import type { Route } from './+types/messages'

export const loader = adminLoader('prescriptions.review', (ctx) => listWaitingThreads(ctx))

/** What customers wrote to the pharmacy, the longest wait first. */
export default function Messages({ loaderData: { threads, total } }: Route.ComponentProps) {
  return (
    <AdminPage title="Messages">
      <p className="mb-4 max-w-3xl text-muted">
        Customer messages about orders and prescriptions that are waiting for an answer.
      </p>
      {threads.length === 0 ? (
        <p className="card max-w-3xl px-6 py-12 text-center">No messages are waiting for an answer.</p>
      ) : (
        <div className="max-w-3xl">
          <Table
            label="Messages"
            headers={['Customer', 'About', 'Waiting since']}
            count={{ shown: threads.length, total }}
          >
            {threads.map(({ subjectId, kind, customerName, updatedAt }) => (
              <tr key={subjectId}>
                <td>
                  <Link to={adminPaths.thread(subjectId)} className="text-link">
                    {customerName}
                  </Link>
                </td>
                <td>{kind === 'order' ? `Order ${orderRef(subjectId)}` : 'Prescription'}</td>
                <td className="whitespace-nowrap">
                  <DateTime at={updatedAt} /> UTC
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </AdminPage>
  )
}
