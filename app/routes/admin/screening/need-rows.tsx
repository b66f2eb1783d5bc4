import { needDecisionSchema, needRowQuerySchema, needViews, type NeedRow } from '#domain/search/need-rows.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { decideNeedRow, listNeedRows } from '#server/search/need-reviews.ts'
import { Form } from 'react-router'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction } from '../../../http/form-action.server.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Link } from '../../../render/Link.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { PostForm } from '../../../ui/PostForm.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { Day, Table } from '../frame/Table.tsx'
import { useCan } from '../frame/use-can.ts'
import type { Route } from './+types/need-rows'

const readQuery = (request: Request) =>
  needRowQuerySchema.parse(Object.fromEntries(new URL(request.url).searchParams))

export const loader = adminLoader('prescriptions.review', async (ctx, { request }: Route.LoaderArgs) => {
  const query = readQuery(request)
  return { ...query, ...(await listNeedRows(ctx, query)) }
})

/** The use case asks for a pharmacist. */
export const action = adminAction('prescriptions.review', async (ctx, args: Route.ActionArgs, form) => {
  const { show, q, page } = readQuery(args.request)
  return formAction(form, needDecisionSchema, async (decision) => {
    await decideNeedRow(ctx, decision)
    return redirectWithToast(args, adminPaths.needRows({ show, q, page: `${page}` }), {
      kind: 'success',
      title: decision.status === 'reviewed' ? 'Marked as reviewed' : 'Rejected',
    })
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

const viewLabels = {
  open: 'Not reviewed',
  reviewed: 'Reviewed',
  rejected: 'Rejected',
} as const satisfies Record<(typeof needViews)[number], string>

/** Which classes of medicines a lay search term stands for, for pharmacists to review. */
export default function NeedRows({ loaderData, actionData }: Route.ComponentProps) {
  const { rows, total, show, q, page, pageCount } = loaderData
  const canDecide = useCan()('prescriptions.clear')
  const pageLink = (to: number, label: string) =>
    to < 1 || to > pageCount ? null : (
      <Link to={adminPaths.needRows({ show, q, page: `${to}` })} className="text-link">
        {label}
      </Link>
    )
  return (
    <AdminPage title="Search terms" back={{ to: adminPaths.screeningLists, label: 'Screening' }}>
      <p className="mb-4 max-w-3xl text-muted">
        A search for one of these terms shows the medicines of its classes. Until a row is reviewed, the
        results say so. Rejected rows are not used in search.
      </p>
      {actionData ? (
        <div className="mb-4">
          <Alert
            kind="error"
            title={actionData.message ?? Object.values(actionData.fields)[0] ?? 'Nothing has changed yet'}
          />
        </div>
      ) : null}
      <nav aria-label="Rows by decision" className="tab-links mb-3">
        {needViews.map((view) => (
          <Link
            key={view}
            to={adminPaths.needRows({ show: view, q })}
            aria-current={view === show ? 'page' : undefined}
          >
            {viewLabels[view]}
          </Link>
        ))}
      </nav>
      <Form method="get" role="search" className="mb-4 flex flex-wrap items-end gap-3" key={q}>
        <input type="hidden" name="show" value={show} />
        <Field label="Term or class" name="q" defaultValue={q} autoComplete="off" />
        <Button>Search</Button>
      </Form>
      {rows.length === 0 ? (
        <p className="card p-4 text-muted">No rows.</p>
      ) : (
        <Table label="Search terms" headers={['Term', 'Class', 'Routes', canDecide ? 'Decision' : 'Decided']}>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.term}</th>
              <td className="min-w-48">
                {row.name}
                <span className="block text-muted">{[row.system, row.code].filter(Boolean).join(' ')}</span>
              </td>
              <td>{row.routes.join(', ') || 'all'}</td>
              <td>
                <Decided row={row} />
                {canDecide ? <DecisionForm row={row} show={show} /> : null}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <p className="mt-2 flex flex-wrap gap-4 tabular-nums">
        <span>
          {rows.length.toLocaleString('en-US')} of {total.toLocaleString('en-US')}
        </span>
        {pageLink(page - 1, 'Previous page')}
        {pageLink(page + 1, 'Next page')}
      </p>
    </AdminPage>
  )
}

const Decided = ({ row: { decided } }: { row: NeedRow }) =>
  decided ? (
    <p className="text-muted">
      {decided.by}, <Day iso={decided.at} />
    </p>
  ) : null

const DecisionForm = ({ row, show }: { row: NeedRow; show: (typeof needViews)[number] }) => (
  <PostForm className="flex flex-wrap gap-2" aria-label={`${row.term}: ${row.name}`}>
    <input type="hidden" name="key" value={row.key} />
    {show === 'reviewed' ? null : (
      <Button name="status" value="reviewed">
        Mark as reviewed
      </Button>
    )}
    {show === 'rejected' ? null : (
      <Button kind="quiet" name="status" value="rejected">
        Reject
      </Button>
    )}
  </PostForm>
)
