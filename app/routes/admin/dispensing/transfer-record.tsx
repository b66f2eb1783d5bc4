import { adminPaths } from '#domain/admin-paths.ts'
import { getTransferRecord } from '#server/reviews/get-item-sheet.ts'
import { TransferRecord } from '../../../components/dispensing/TransferRecord.tsx'
import { parseSheetPaper, SheetPage } from '../../../components/dispensing/SheetPage.tsx'
import printStyles from '../../../print/print.css?url'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import type { Route } from './+types/transfer-record'

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: printStyles }]

export const loader = adminLoader(
  'prescriptions.review',
  async (ctx, { params: { itemId }, request }: Route.LoaderArgs) => ({
    sheet: await getTransferRecord(ctx, itemId),
    paper: parseSheetPaper(request),
  }),
)

/** The record of a transferred item, for the pharmacy that continues it. */
export default function TransferRecordPage({ loaderData: { sheet, paper } }: Route.ComponentProps) {
  return (
    <SheetPage
      paper={paper}
      back={{ to: adminPaths.prescriptionsWith({ id: sheet.prescriptionId }), label: sheet.rxNumber }}
      pathOn={(paper) => adminPaths.transferRecord(sheet.itemId, { paper })}
    >
      <title>{`Transfer record of ${sheet.rxNumber} | Meridian`}</title>
      <TransferRecord sheet={sheet} paper={paper} />
    </SheetPage>
  )
}
