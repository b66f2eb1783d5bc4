import { paths } from '#domain/paths.ts'
import { getRefillRequest } from '#server/reviews/get-item-sheet.ts'
import { RefillRequest } from '../../components/dispensing/RefillRequest.tsx'
import { RouteError } from '../../components/RouteError.tsx'
import { pageLoader } from '../../http/page-loader.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { requireSignedIn } from '../../http/require-signed-in.server.ts'
import a4Styles from '../../print/paper-a4.css?url'
import letterStyles from '../../print/paper-letter.css?url'
import printStyles from '../../print/print.css?url'
import { Link } from '../../render/Link.tsx'
import { pageMeta } from '../../render/page-meta.ts'
import { PrintButton } from '../../ui/PrintButton.tsx'
import type { Route } from './+types/refill-request'

const sheets = { letter: letterStyles, a4: a4Styles }

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: printStyles }]

/** Only the patient sees it; for everyone else it does not exist. */
export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { itemId } = args.params
  requireSignedIn(args, paths.refillRequest(itemId))
  const { ctx } = args.context.get(requestContext)
  const isA4 = new URL(args.request.url).searchParams.get('paper') === 'a4'
  const paper: keyof typeof sheets = isA4 ? 'a4' : 'letter'
  return { sheet: await getRefillRequest(ctx, itemId), paper }
})

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, { title: 'Request for a new prescription', description: 'A page to print for your doctor.' })

/** A page to print for the prescriber, when a prescription runs out. */
export default function RefillRequestPage({ loaderData: { sheet, paper } }: Route.ComponentProps) {
  return (
    <div className="page py-8 print:p-0">
      <link rel="stylesheet" href={sheets[paper]} precedence="default" />
      <div className="mb-4 flex flex-wrap items-center gap-4 print:hidden">
        <Link to={paths.prescriptions} className="text-link">
          My prescriptions
        </Link>
        <Link to={paths.refillRequest(sheet.itemId)} className="text-link">
          Letter
        </Link>
        <Link to={paths.refillRequest(sheet.itemId, { paper: 'a4' })} className="text-link">
          A4
        </Link>
        <PrintButton />
      </div>
      <RefillRequest sheet={sheet} paper={paper} />
    </div>
  )
}

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => (
  <RouteError error={error} failure="Failed to load the request" />
)
