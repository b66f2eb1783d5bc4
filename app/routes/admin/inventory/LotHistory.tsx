import { adminPaths } from '#domain/admin-paths.ts'
import { maxReadChanges, transactionLabels } from '#domain/inventory/inventory-messages.ts'
import type { LotAction } from '#domain/inventory/lots.ts'
import type { LotHistoryView } from '#server/inventory/read-lot-history.ts'
import { Link } from '../../../render/Link.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import { signedUnits, units } from './units.ts'

type LotHistoryProps = { history: LotHistoryView; variantId: string }

/** What happened to a lot's units, newest first. */
export const LotHistory = ({ history: { rows, earlierSales, isCut }, variantId }: LotHistoryProps) => (
  <>
    <ul className="grid gap-2">
      {rows.map((row) => (
        <Row key={row.id} row={row} />
      ))}
    </ul>
    {earlierSales.count > 0 ? (
      <p className="mt-2">
        {earlierSales.count === 1
          ? '1 earlier sale or cancellation'
          : `${earlierSales.count.toLocaleString('en-US')} earlier sales and cancellations`}
        : {signedUnits(earlierSales.change)} in all.
      </p>
    ) : null}
    {isCut ? (
      <p className="mt-2">
        This list covers only the latest {maxReadChanges.toLocaleString('en-US')} stock changes of the
        variant. For earlier ones, open its stock history.
      </p>
    ) : null}
    <p className="mt-2">
      <Link to={adminPaths.stockHistory(variantId)} className="text-link">
        Stock history of the variant
      </Link>
    </p>
  </>
)

const actionLabels = {
  quarantined: 'Put into quarantine',
  released: 'Released',
  expired: 'Expired and taken out of the stock',
  'written-off': 'Written off',
} as const satisfies Record<LotAction, string>

function Row({ row }: { row: LotHistoryView['rows'][number] }) {
  const when = <DateTime at={row.at} />
  if (row.kind === 'change')
    return (
      <li>
        <b>{transactionLabels[row.type]}</b>: {signedUnits(row.change)}, {when}
        <Note text={row.notes} />
      </li>
    )
  return (
    <li>
      <b>{actionLabels[row.action]}</b>
      {row.units === null ? '' : `: ${units(row.units)}`}, by {row.by ?? 'the shop'}, {when}
      <Note text={row.reason} />
    </li>
  )
}

const Note = ({ text }: { text: string | null }) =>
  text === null ? null : <span className="block wrap-anywhere whitespace-pre-line">{text}</span>
