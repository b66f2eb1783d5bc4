import { adminPaths } from '#domain/admin-paths.ts'
import { recallName } from '#domain/screening/recall.ts'
import type { SentRecall } from '#server/recalls/list-sent-recalls.ts'
import { Link } from '../../../render/Link.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import { reachedBadges } from '../screening/reached-badges.ts'

type SentRecallsProps = {
  /** A server of the release before sends none. */
  recalls?: readonly SentRecall[]
}

/** The recalls of what the customer got. They read them on their own page of the order. */
export function SentRecalls({ recalls = [] }: SentRecallsProps) {
  if (recalls.length === 0) return null
  return (
    <div className="mb-3">
      <Alert kind="warning" title="Recall: this order was sent, and its customer was notified">
        <ul className="grid gap-2">
          {recalls.map(({ notifiedAt, reached, details }) => (
            <li key={`${details?.recallId} ${notifiedAt}`} className="wrap-anywhere">
              {details ? (
                <Details details={details} />
              ) : (
                <p>A recall affects a prescription medicine. A pharmacist can tell the customer more.</p>
              )}
              <p>
                Email to the customer, <DateTime at={notifiedAt} />:{' '}
                <Badge tone={reachedBadges[reached].tone}>{reachedBadges[reached].label}</Badge>
              </p>
            </li>
          ))}
        </ul>
      </Alert>
    </div>
  )
}

function Details({ details: { recallId, items, sentLots, report, canOpen } }: Shown) {
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
        {sentLots.length > 0 ? `Sent from lot ${sentLots.join(', ')}.` : 'The lot that was sent isn’t known.'}
        {report ? ` Recalled: ${recalledLots(report)}.` : ' The current list no longer has this recall.'}
      </p>
    </>
  )
}

type Shown = { details: NonNullable<SentRecall['details']> }

const recalledLots = ({ allLots, lots, lotNote }: NonNullable<Shown['details']['report']>): string => {
  if (allLots) return 'all lots'
  if (lots.length > 0) return lots.length === 1 ? `lot ${lots[0]}` : `lots ${lots.join(', ')}`
  return lotNote ?? 'lots that the report doesn’t list'
}
