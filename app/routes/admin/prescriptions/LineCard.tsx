import { adminPaths } from '#domain/admin-paths.ts'
import { isUndecided } from '#domain/dispensing/dispensing.ts'
import type { CaseLine } from '#domain/dispensing/case-line.ts'
import type { CaseItem } from '#domain/dispensing/case-prescription.ts'
import { noteAuthor } from '#domain/dispensing/note-author.ts'
import { formText } from '#domain/dispensing/medicine-text.ts'
import { formatQuantity } from '#domain/dispensing/quantity.ts'
import type { ReactNode } from 'react'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx'
import { Link } from '../../../render/Link.tsx'

const statusBadges = {
  waiting: { tone: 'warning', label: 'Waiting for a pharmacist' },
  asked: { tone: 'neutral', label: 'Waiting for the customer' },
  cleared: { tone: 'success', label: 'Cleared' },
  refused: { tone: 'error', label: 'Refused' },
} as const satisfies Record<CaseLine['status'], { tone: BadgeTone; label: string }>

const noteLabels: Record<CaseLine['decision']['notes'][number]['kind'], string> = {
  call: 'Call',
  alert: 'Alert',
  early: 'Early or concurrent fill',
  substitute: 'Substitution',
  reopened: 'Back in the queue',
  destination: 'Destination',
  duplicate: 'Duplicate',
  weight: 'Weight',
  return: 'Did not leave the pharmacy',
}

type LineCardProps = {
  line: CaseLine
  item: CaseItem | null
  orderId: string
  twoPharmacists: boolean
  /** What another pharmacist did, or why the last action was refused. */
  problem: string | null
  /** The forms and buttons; null when the user cannot decide. */
  children: ReactNode
}

/** An order line: what it needs beside what the item says, and what the rules make of it. */
export function LineCard({ line, item, orderId, twoPharmacists, problem, children }: LineCardProps) {
  const { status, decision, decidedBy, decidedAt, checkedBy, checkedAt } = line
  const badge = statusBadges[status]
  return (
    <li className="card grid gap-3 p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold wrap-anywhere">
          {line.quantity} × {line.product.name} {line.medicine?.strength}
          {line.dependantName ? ` for ${line.dependantName}` : ''}
        </h3>
        <Badge tone={badge.tone}>{badge.label}</Badge>
        {decidedBy && decidedAt && !isUndecided(status) ? (
          <span className="text-muted">
            by {decidedBy}, {formatDay(decidedAt)}
          </span>
        ) : null}
      </div>
      {problem ? (
        <p role="alert" tabIndex={-1} className="rounded-box border border-error p-2 font-medium text-error">
          {problem}
        </p>
      ) : null}
      <Comparison line={line} item={item} />
      <RuleResults line={line} item={item} />
      {decision.reason ? (
        <p className="wrap-anywhere">Reason, which the customer reads: {decision.reason}</p>
      ) : null}
      {decision.notes.length > 0 ? (
        <ul className="grid gap-1">
          {decision.notes.map((note) => (
            <li key={`${note.at} ${note.kind}`} className="wrap-anywhere whitespace-pre-line">
              <b>{noteLabels[note.kind]}:</b> {note.text}{' '}
              <span className="text-muted">{noteAuthor(note)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {twoPharmacists && status === 'cleared' ? (
        <p>
          {checkedBy && checkedAt
            ? `Second check by ${checkedBy}, ${formatDay(checkedAt)}`
            : line.canCheck
              ? 'Waiting for your second check.'
              : 'Waiting for a second check by another pharmacist.'}
        </p>
      ) : null}
      {status === 'cleared' && line.fillStatus !== null ? <LabelLinks line={line} orderId={orderId} /> : null}
      {children}
    </li>
  )
}

/** The sheets of a cleared line, and what its label must record before it ships. */
const LabelLinks = ({
  line: { id, fillStatus, undecidedFlags },
  orderId,
}: {
  line: CaseLine
  orderId: string
}) => (
  <p className="flex flex-wrap items-center gap-x-4 print:hidden">
    {undecidedFlags.length > 0 && fillStatus !== 'dispensed' ? (
      <span className="font-medium text-warning">
        Before it ships, record your decision on its {undecidedFlags.join(' and ')} on the label.
      </span>
    ) : null}
    <Link to={adminPaths.label(orderId, id)} className="text-link">
      Label
    </Link>
    <Link to={adminPaths.leaflet(orderId, id)} className="text-link">
      Leaflet
    </Link>
  </p>
)

/** The ordered medicine beside the prescribed one, fact by fact. */
function Comparison({ line, item }: { line: CaseLine; item: CaseItem | null }) {
  const { medicine, units } = line
  if (!medicine || units === null) {
    return (
      <p className="font-medium text-error">
        {line.variant}: this medicine is no longer in the catalog. The line can only be refused.
      </p>
    )
  }
  const prescribed = item?.medicine ?? null
  const candidate = line.candidates.find(({ itemId }) => itemId === item?.id)
  const rows: [string, string, string | null][] = [
    ['Ingredient', medicine.substances, prescribed && prescribed.substances],
    ['Brand', medicine.brandName ?? 'Generic', prescribed && brandText(item)],
    ['Strength', medicine.strength, prescribed && prescribed.strength],
    ['Form', formText(medicine), prescribed && formText(prescribed)],
    ['Route', medicine.route ?? '–', prescribed && (prescribed.route ?? '–')],
    ['Quantity', formatQuantity(units, medicine), item && formatQuantity(item.unitsPerFill, item.medicine)],
    ['Days’ supply', candidate ? String(candidate.daysSupply) : '–', item && String(item.daysSupply)],
  ]
  return (
    <table className="w-full table-fixed text-start wrap-anywhere">
      <thead>
        <tr>
          <th scope="col" className="w-24 text-start">
            <span className="sr-only">Fact</span>
          </th>
          <th scope="col" className="pe-3 text-start font-medium text-muted">
            Ordered
          </th>
          <th scope="col" className="text-start font-medium text-muted">
            Prescribed{item ? `, ${item.rxNumber}` : ''}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ordered, written]) => (
          <tr key={name} className="align-top">
            <th scope="row" className="pe-3 text-start font-normal text-muted">
              {name}
            </th>
            <td className="pe-3">{ordered}</td>
            <td>{written ?? '–'}</td>
          </tr>
        ))}
        {item ? (
          <tr className="align-top">
            <th scope="row" className="pe-3 text-start font-normal text-muted">
              Directions
            </th>
            <td colSpan={2}>{item.directions}</td>
          </tr>
        ) : null}
      </tbody>
    </table>
  )
}

const brandText = (item: CaseItem | null): string =>
  item?.dispenseAsWritten ? `${item.dispenseAsWritten} only` : 'Any'

/** What the rules say about this line, as sentences. */
function RuleResults({ line, item }: { line: CaseLine; item: CaseItem | null }) {
  const { status, candidates, scheduledIn, linkedVariant } = line
  const candidate = candidates.find(({ itemId }) => itemId === item?.id)
  const { blockers } = candidate ?? line
  return (
    <ul aria-label="Rules" className="grid gap-1">
      {isUndecided(status)
        ? blockers.map((blocker) => (
            <li key={blocker} className="font-medium text-error">
              {blocker}
            </li>
          ))
        : null}
      {candidate && isUndecided(status) ? (
        candidate.message === null ? (
          <li className="text-success">
            Covered: the same medicine, quantity and dates allow this fill.{' '}
            {refillText(candidate.refillsLeft)}
          </li>
        ) : (
          <li className={candidate.isPossible ? 'font-medium text-warning' : 'font-medium text-error'}>
            {candidate.message}
            {candidate.needs === null ? '' : ' You can still clear it with a note.'}
          </li>
        )
      ) : null}
      {item?.supplyMismatch ? <li className="font-medium text-warning">{item.supplyMismatch}</li> : null}
      {linkedVariant ? (
        <li className="text-muted">Linked in the catalog, for comparison: {linkedVariant}</li>
      ) : null}
      {scheduledIn.length > 0 ? (
        <li className="font-medium text-warning">
          Scheduled by state law in {scheduledIn.join(', ')} (
          <Link to={adminPaths.settings} className="text-link">
            list in Settings
          </Link>
          )
        </li>
      ) : null}
    </ul>
  )
}

const refillText = (left: number): string => `${left} ${left === 1 ? 'refill' : 'refills'} left.`
