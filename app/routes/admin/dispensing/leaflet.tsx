import { getLabel } from '#server/reviews/get-label.ts'
import { paths } from '#domain/paths.ts'
import printStyles from '../../../print/print.css?url'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { Link } from '../../../render/Link.tsx'
import { PrintPage } from '../orders/PrintPage.tsx'
import type { Route } from './+types/leaflet'
import { LabelGaps } from './LabelGaps.tsx'
import { LeafletCard } from './LeafletCard.tsx'
import { pageSizes, papers } from './papers.ts'

const sheets = ['letter', 'a4'] as const

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: printStyles }]

export const loader = adminLoader(
  'orders.medicines',
  async (ctx, { params: { id, lineId }, request }: Route.LoaderArgs) => {
    const paper = new URL(request.url).searchParams.get('paper')
    const { label, gaps } = await getLabel(ctx, { orderId: id, lineId })
    return { label, gaps, paper: sheets.find((name) => name === paper) ?? 'letter' }
  },
)

/** The leaflet card of a dispensed line, for the package. */
export default function LeafletPage({ loaderData: { label, gaps, paper } }: Route.ComponentProps) {
  const { orderId, lineId, rxNumber } = label
  return (
    <PrintPage title={`Leaflet for ${rxNumber}`} orderId={orderId}>
      <link rel="stylesheet" href={pageSizes[`paper-${paper}`]} precedence="default" />
      <nav aria-label="Paper" className="mb-4 flex flex-wrap gap-3 print:hidden">
        {sheets.map((name) => (
          <Link
            key={name}
            to={paths.admin.leaflet(orderId, lineId, { paper: name })}
            className="text-link"
            aria-current={name === paper ? 'page' : undefined}
          >
            {papers[name]}
          </Link>
        ))}
        <Link to={paths.admin.label(orderId, lineId)} className="text-link">
          Label
        </Link>
      </nav>
      <LabelGaps gaps={gaps} />
      <LeafletCard label={label} paper={paper} isDraft={gaps.length > 0} />
    </PrintPage>
  )
}
