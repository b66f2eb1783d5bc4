import { adminPaths } from '#domain/admin-paths.ts'
import { getItemForStaff } from '#server/reviews/get-item-sheet.ts'
import { RefillRequest } from '../../../components/dispensing/RefillRequest.tsx'
import { parseSheetPaper, SheetPage } from '../../../components/dispensing/SheetPage.tsx'
import printStyles from '../../../print/print.css?url'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import type { Route } from './+types/refill-request'

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: printStyles }]

export const loader = adminLoader(
  'prescriptions.review',
  async (ctx, { params: { itemId }, request }: Route.LoaderArgs) => ({
    sheet: await getItemForStaff(ctx, itemId),
    paper: parseSheetPaper(request),
  }),
)

/** A printed request to the prescriber for a new prescription. */
export default function RefillRequestPage({ loaderData: { sheet, paper } }: Route.ComponentProps) {
  return (
    <SheetPage
      paper={paper}
      back={{ to: adminPaths.prescriptionsWith({ id: sheet.prescriptionId }), label: sheet.rxNumber }}
      pathOn={(paper) => adminPaths.refillRequest(sheet.itemId, { paper })}
    >
      <title>{`Refill request for ${sheet.rxNumber} | Meridian`}</title>
      <RefillRequest sheet={sheet} paper={paper} />
    </SheetPage>
  )
}
