import { paths } from '#domain/paths.ts'
import { getRefillRequest } from '#server/reviews/get-item-sheet.ts'
import { RefillRequest } from '../../components/dispensing/RefillRequest.tsx'
import { parseSheetPaper, SheetPage } from '../../components/dispensing/SheetPage.tsx'
import { RouteError } from '../../components/RouteError.tsx'
import { pageLoader } from '../../http/page-loader.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { requireSignedIn } from '../../http/require-signed-in.server.ts'
import printStyles from '../../print/print.css?url'
import { pageMeta } from '../../render/page-meta.ts'
import type { Route } from './+types/refill-request'

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: printStyles }]

/** Only the patient sees it; for everyone else it does not exist. */
export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { itemId } = args.params
  requireSignedIn(args, paths.refillRequest(itemId))
  const { ctx } = args.context.get(requestContext)
  return { sheet: await getRefillRequest(ctx, itemId), paper: parseSheetPaper(args.request) }
})

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, { title: 'Request for a new prescription', description: 'A page to print for your doctor.' })

/** A page to print for the prescriber, when a prescription runs out. */
export default function RefillRequestPage({ loaderData: { sheet, paper } }: Route.ComponentProps) {
  return (
    <div className="page py-8 print:p-0">
      <SheetPage
        paper={paper}
        back={{ to: paths.prescriptions, label: 'My prescriptions' }}
        pathOn={(paper) => paths.refillRequest(sheet.itemId, { paper })}
      >
        <RefillRequest sheet={sheet} paper={paper} />
      </SheetPage>
    </div>
  )
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <RouteError error={error} failure="Failed to load the request" />
)
