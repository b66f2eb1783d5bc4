import { adminPaths } from '#domain/admin-paths.ts'
import { recallName } from '#domain/screening/recall.ts'
import type { SentRecall } from '#server/recalls/list-sent-recalls.ts'
import { lotNames } from '../../../components/orders/lot-names.ts'
import { Link } from '../../../render/Link.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import { reachedBadges } from '../screening/reached-badges.ts'

/** The recalls that the customer was notified of. Their own page of the order has them too. */
export function SentRecalls({ recalls }: { recalls: readonly SentRecall[] }) {
  if (recalls.length === 0) return null
  return (
    <div className="mb-3">
      <Alert
        kind="warning"
        title={
          recalls.some(({ isSent }) => isSent)
            ? 'Recalled after shipping. We notified the customer.'
            : 'We notified the customer of a recall.'
        }
      >
        <ul className="grid gap-2">
          {recalls.map((recall) => (
            <Recall key={`${recall.details?.recallId} ${recall.notifiedAt}`} recall={recall} />
          ))}
        </ul>
      </Alert>
    </div>
  )
}

const Recall = ({ recall }: { recall: SentRecall }) => (
  <li className="wrap-anywhere">
    {recall.details ? (
      <Details details={recall.details} isSent={recall.isSent} />
    ) : (
      <p>A recall affects a prescription medicine. A pharmacist can tell the customer more.</p>
    )}
    <p>
      Email to the customer, <DateTime at={recall.notifiedAt} />:{' '}
      <Badge tone={reachedBadges[recall.reached].tone}>{reachedBadges[recall.reached].label}</Badge>
    </p>
  </li>
)

function Details({ details, isSent }: DetailsProps) {
  const { recallId, items, report, canOpen } = details
  const name = recallName(recallId)
  return (
    <>
      <p>
        <b>{items.join('; ')}</b>.{' '}
        {canOpen && report ? (
          <Link to={adminPaths.recall(recallId)} className="text-link">
            {name}
          </Link>
        ) : (
          name
        )}
        {report ? `, class ${report.recallClass}, ${report.status.toLowerCase()}: ${report.reason}` : ''}
      </p>
      <p>
        {lotText(details, isSent)}
        {report ? ` Recalled: ${recalledLots(report)}.` : ' The current list no longer has this recall.'}
      </p>
    </>
  )
}

type DetailsProps = { details: NonNullable<SentRecall['details']>; isSent: boolean }

/**
 * An order that was set back may still have its packs, so it doesn't say that they were sent. A
 * line that was refused after a first shipment may still be with the customer.
 */
function lotText(
  { sentLots, returnedLots }: Pick<DetailsProps['details'], 'sentLots' | 'returnedLots'>,
  isSent: boolean,
): string {
  const lots = isSent ? sentLots : [...sentLots, ...returnedLots]
  const refused =
    isSent && returnedLots.length > 0 ? ` Refused after the first shipment: ${lotNames(returnedLots)}.` : ''
  if (lots.length === 0)
    return isSent ? `We don’t know which lot we sent.${refused}` : 'We don’t know the lot.'
  return `${isSent ? 'Sent from' : 'From'} ${lotNames(lots)}.${refused}`
}

const recalledLots = ({ allLots, lots, lotNote }: NonNullable<DetailsProps['details']['report']>): string => {
  if (allLots) return 'all lots'
  if (lots.length > 0) return lotNames(lots)
  return lotNote ?? 'lots that the report doesn’t list'
}
