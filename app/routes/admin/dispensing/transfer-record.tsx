import { paths } from '#domain/paths.ts'
import { getTransferRecord } from '#server/reviews/get-item-sheet.ts'
import { TransferRecord } from '../../../components/dispensing/TransferRecord.tsx'
import printStyles from '../../../print/print.css?url'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import type { Route } from './+types/transfer-record'
import { parseSheetPaper, SheetPage } from './SheetPage.tsx'

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
      title={`Transfer record of ${sheet.rxNumber}`}
      paper={paper}
      back={{ to: paths.admin.prescriptions, label: 'Prescriptions' }}
      pathOn={(paper) => paths.admin.transferRecord(sheet.itemId, { paper })}
    >
      <TransferRecord sheet={sheet} paper={paper} />
    </SheetPage>
  )
}
