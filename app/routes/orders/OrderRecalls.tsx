import { paths } from '#domain/paths.ts'
import type { OrderRecall } from '#server/recalls/list-order-recalls.ts'
import { lotNames } from '../../components/orders/lot-names.ts'
import { formatDay } from '../../components/orders/order-labels.ts'
import { Link } from '../../render/Link.tsx'
import { Alert } from '../../ui/Alert.tsx'

/** The recalls of what shipped with an order, and what its customer can do. */
export const OrderRecalls = ({ recalls }: { recalls: readonly OrderRecall[] }) =>
  recalls.length === 0 ? null : (
    <div className="mb-6 grid gap-3 print:hidden">
      {recalls.map((recall) => (
        <Notice key={recall.recallId} recall={recall} />
      ))}
    </div>
  )

function Notice({ recall }: { recall: OrderRecall }) {
  const { recallId, items, report, endedAt } = recall
  const name = items.join('; ')
  return (
    <Alert kind="warning" title={`Recall: ${name}`}>
      {report === null ? (
        <>
          <p>
            {endedAt === null
              ? 'This recall is no longer in the list we check. Contact us if you have questions.'
              : `We withdrew this notice on ${formatDay(endedAt)}. Another recall may still apply. Ask us before you use a package you’ve set aside.`}
          </p>
          {endedAt === null ? null : <AskUs />}
        </>
      ) : (
        <>
          <p>
            Recalled by {report.firm}: {report.reason}
          </p>
          <ul className="mt-2 list-disc ps-5">
            <li>{lotText(report, ownLots(recall))}</li>
            <li>
              If your package is recalled, or you can’t find its lot, set it aside and message the pharmacy.
              We’ll explain how to return or replace it.
            </li>
            <li>Talk to a pharmacist or your doctor before you stop taking a medicine that you need.</li>
          </ul>
          <AskUs />
          <p className="mt-2 text-muted">
            Number {recallId.replace(/^product-/, '')}, class {report.recallClass},{' '}
            {report.isRecorded
              ? `recalled on ${formatDay(report.reported)}.${recordedText(report.recordedAt)}`
              : `${report.status.toLowerCase()} when the FDA reported it on ${formatDay(report.reported)}. The FDA doesn’t update the status afterwards.`}
          </p>
        </>
      )}
    </Alert>
  )
}

const recordedText = (at: string | null): string =>
  at === null ? '' : ` We recorded this recall on ${formatDay(at)}.`

const AskUs = () => (
  <p className="mt-2">
    <a href="#messages" className="text-link">
      Message the pharmacy
    </a>{' '}
    or{' '}
    <Link to={paths.contact} className="text-link">
      contact us
    </Link>
  </p>
)

/** Which packs are recalled, as far as the report says. */
function lotText({ allLots, lots, lotNote }: NonNullable<OrderRecall['report']>, own: string): string {
  if (allLots) return `All lots are recalled.${own}`
  if (lots.length > 0)
    return `Compare the lot on your package with the recalled ${lots.length === 1 ? 'lot' : 'lots'}: ${lots.join(', ')}.${lotNote === null ? '' : ` ${lotNote} If yours isn’t listed, ask us.`}${own}`
  return lotNote === null
    ? `The report lists no lots. Ask us about the lot on your package.${own}`
    : `The report describes the lots as “${lotNote}”. Ask us about the lot on your package.${own}`
}

/**
 * The lots of the order. It says that they were sent only where they were; of a line that was
 * refused after a first shipment, the customer may still have the pack.
 */
function ownLots({ isSent, sentLots, returnedLots }: OrderRecall): string {
  const sent = sentLots.length > 0 ? ` We sent you ${lotNames(sentLots)}.` : ''
  if (returnedLots.length === 0) return sent
  return `${sent} Your order${isSent ? ' also' : ''} had ${lotNames(returnedLots)}.`
}
