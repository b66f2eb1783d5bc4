import { adminPaths } from '#domain/admin-paths.ts'
import { getLabel } from '#server/reviews/get-label.ts'
import { parseSheetPaper, SheetPage } from '../../../components/dispensing/SheetPage.tsx'
import printStyles from '../../../print/print.css?url'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import type { Route } from './+types/leaflet'
import { LabelGaps } from './LabelGaps.tsx'
import { LeafletCard } from './LeafletCard.tsx'

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: printStyles }]

export const loader = adminLoader(
  'orders.medicines',
  async (ctx, { params: { id, lineId }, request }: Route.LoaderArgs) => {
    const { label, gaps } = await getLabel(ctx, { orderId: id, lineId })
    return { label, gaps, paper: parseSheetPaper(request) }
  },
)

/** The leaflet card of a dispensed line, for the package. */
export default function LeafletPage({ loaderData: { label, gaps, paper } }: Route.ComponentProps) {
  const { orderId, lineId, rxNumber } = label
  return (
    <SheetPage
      paper={paper}
      back={{ to: adminPaths.label(orderId, lineId), label: 'Label' }}
      pathOn={(paper) => adminPaths.leaflet(orderId, lineId, { paper })}
    >
      <title>{`Leaflet for ${rxNumber} | Meridian`}</title>
      <LabelGaps gaps={gaps} />
      <LeafletCard label={label} paper={paper} isDraft={gaps.length > 0} />
    </SheetPage>
  )
}
