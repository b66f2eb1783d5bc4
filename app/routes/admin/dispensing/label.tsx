import { labelFormSchema } from '#domain/dispensing/label-choices.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { getLabel } from '#server/reviews/get-label.ts'
import { saveLabel } from '#server/reviews/save-label.ts'
import printStyles from '../../../print/print.css?url'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction } from '../../../http/form-action.server.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { Link } from '../../../render/Link.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { PrintPage } from '../orders/PrintPage.tsx'
import type { Route } from './+types/label'
import { DispensingLabel } from './DispensingLabel.tsx'
import { LabelForm } from './LabelForm.tsx'
import { LabelGaps } from './LabelGaps.tsx'
import { choosePageSize, pageSizes, paperNames, papers, parsePaper } from './papers.ts'

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: printStyles }]

export const loader = adminLoader(
  'orders.medicines',
  async (ctx, { params: { id, lineId }, request }: Route.LoaderArgs) => ({
    view: await getLabel(ctx, { orderId: id, lineId }),
    paper: parsePaper(new URL(request.url).searchParams.get('paper'), 'label'),
  }),
)

/** The use case asks for a licensed pharmacist. */
export const action = adminAction('orders.medicines', async (ctx, args: Route.ActionArgs, form) => {
  const { id, lineId } = args.params
  const paper = parsePaper(new URL(args.request.url).searchParams.get('paper'), 'label')
  return formAction(form, labelFormSchema, async (label) => {
    await saveLabel(ctx, { orderId: id, lineId, ...label })
    return redirectWithToast(args, adminPaths.label(id, lineId, { paper }), {
      kind: 'success',
      title: 'Label saved',
    })
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

export { revalidateAfterConflict as shouldRevalidate } from '../../../http/revalidate-after-conflict.ts'

/** The label of a dispensed line: what it prints, on which paper, and what is recorded for it. */
export default function LabelPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, paper } = loaderData
  const { label, gaps } = view
  const { orderId, lineId, rxNumber } = label
  return (
    <PrintPage title={`Label for ${rxNumber}`} orderId={orderId}>
      <link rel="stylesheet" href={pageSizes[choosePageSize(paper, label)]} precedence="default" />
      <nav aria-label="Paper" className="tab-links mb-4">
        {paperNames.map((name) => (
          <Link
            key={name}
            to={adminPaths.label(orderId, lineId, { paper: name })}
            aria-current={name === paper ? 'page' : undefined}
          >
            {papers[name]}
          </Link>
        ))}
        <Link to={adminPaths.leaflet(orderId, lineId)}>Leaflet</Link>
      </nav>
      <LabelGaps gaps={gaps} />
      {view.supplyMismatch ? (
        <div className="mb-4 print:hidden">
          <Alert kind="warning" title={view.supplyMismatch} />
        </div>
      ) : null}
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] print:block">
        <DispensingLabel label={label} paper={paper} isDraft={gaps.length > 0} />
        {view.canEdit ? (
          <LabelForm key={view.version} view={view} paper={paper} failure={actionData ?? null} />
        ) : null}
      </div>
    </PrintPage>
  )
}
