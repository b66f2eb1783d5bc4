import { adminPaths } from '#domain/admin-paths.ts'
import { listCareLists, type CareListView } from '#server/screening/list-care-lists.ts'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { Link } from '../../../render/Link.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useCan } from '../frame/use-can.ts'
import type { Route } from './+types/lists'

export const loader = adminLoader('lists.read', (ctx) => listCareLists(ctx))

/** The lists that orders are screened with: where each is from, how old it is, its license. */
export default function ScreeningLists({ loaderData }: Route.ComponentProps) {
  const { lists, missing, unknownNames, maxAgeDays } = loaderData
  const can = useCan()
  const outdated = lists.filter((list) => list.isOutdated)
  return (
    <AdminPage title="Screening">
      <p className="mb-4 max-w-3xl text-muted">
        The lists that orders are checked against. A missing entry never means that a medicine is safe. To
        load newer files, run <code>npm run care:import -- --from FOLDER</code> on the server.
        {can('prescriptions.review') ? (
          <>
            {' '}
            <Link to={adminPaths.rowReports} className="text-link">
              Rows marked as wrong
            </Link>
            {'. '}
            <Link to={adminPaths.needRows()} className="text-link">
              Search terms to review
            </Link>
          </>
        ) : null}
      </p>
      <p className="mb-4 flex flex-wrap gap-x-6 gap-y-1">
        <Link to={adminPaths.recalls} className="text-link">
          Recalls of packages in the catalog
        </Link>
        {can('settings.write') ? (
          <Link to={adminPaths.careImports} className="text-link">
            Import recalls or shortages
          </Link>
        ) : null}
      </p>
      <div className="mb-4 grid gap-3">
        {missing.length > 0 ? (
          <Alert kind="error" title={missingTitle(missing.length)}>
            <p>
              Orders are not checked against: {missing.join(', ')}. Run <code>npm run care:import</code>.
            </p>
          </Alert>
        ) : null}
        {outdated.length > 0 ? (
          <Alert kind="warning" title={outdatedTitle(outdated.length, maxAgeDays)}>
            <p>{outdated.map(({ title }) => title).join(', ')}</p>
          </Alert>
        ) : null}
        {unknownNames > 0 ? (
          <Alert
            kind="info"
            title={
              unknownNames === 1
                ? '1 ingredient name is unknown'
                : `${unknownNames} ingredient names are unknown`
            }
          >
            <p>
              Orders aren’t checked for ingredients that aren’t in any list.{' '}
              {can('catalog.write') ? (
                <Link to={adminPaths.ingredientNames} className="text-link">
                  See the names and their products
                </Link>
              ) : (
                'Catalog managers see them.'
              )}
            </p>
          </Alert>
        ) : null}
      </div>
      <ul className="grid items-start gap-3 xl:grid-cols-2">
        {lists.map((list) => (
          <CareList key={list.name} list={list} />
        ))}
      </ul>
    </AdminPage>
  )
}

const missingTitle = (count: number): string =>
  count === 1 ? '1 list was never imported' : `${count} lists were never imported`

const outdatedTitle = (count: number, days: number): string =>
  `${count === 1 ? '1 list is' : `${count} lists are`} older than ${days === 1 ? '1 day' : `${days} days`}`

const CareList = ({ list }: { list: CareListView }) => (
  <li className="card grid gap-1 p-4">
    <div className="flex flex-wrap items-center gap-2">
      <h2 className="font-semibold">{list.title}</h2>
      {list.isOutdated ? <Badge tone="warning">Old</Badge> : null}
      {list.isEnded ? <Badge>No newer edition</Badge> : null}
    </div>
    <p>
      {list.listDate ?? 'No date'}, {describeAge(list)}, {list.rowCount.toLocaleString('en-US')} rows
    </p>
    <p>{list.source}</p>
    <p className="text-sm text-muted">{list.license}</p>
    <p className="text-sm text-muted">
      Imported {formatDay(list.importedAt.toISOString())} as <code>{list.name}</code>
    </p>
  </li>
)

/** "145 days old"; of a list without a date, since when the shop has it. */
function describeAge({ ageInDays, listDate }: CareListView): string {
  const days = ageInDays === 1 ? '1 day' : `${ageInDays.toLocaleString('en-US')} days`
  return listDate === null ? `imported ${days} ago` : `${days} old`
}
