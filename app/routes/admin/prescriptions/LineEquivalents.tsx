import type { CaseItem } from '#domain/dispensing/case-prescription.ts'
import type { CaseLine, LineEquivalents as Equivalents } from '#domain/dispensing/case-line.ts'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { formatDay } from '../../../components/orders/order-labels.ts'

type LineEquivalentsProps = { line: CaseLine; equivalents: Equivalents; item: CaseItem | null }

/** What FDA rates as equivalent to the ordered medicine and is in stock. */
export function LineEquivalents({ line, equivalents, item }: LineEquivalentsProps) {
  const { code, listDate, isComplete, orderedUnitPrice, offers } = equivalents
  const list = listText(listDate)
  if (code === null || offers.length === 0) {
    return (
      <p className="text-muted">
        {code === null
          ? `${list} has no rating for this medicine. That doesn’t rule out an equivalent.`
          : `${list} rates the ordered medicine ${code}. Nothing equivalent is in stock.`}
        {isComplete ? '' : ' The list leaves out some products with these ingredients.'}
      </p>
    )
  }
  return (
    <Disclosure summary={`Rated as equivalent and in stock: ${offers.length}`}>
      <p className="text-muted">
        {list} rates all of them {code}, like the ordered medicine, which costs ${orderedUnitPrice} per{' '}
        {offers[0]?.unit}.
      </p>
      <ul aria-label={`Equivalents of ${line.product.name}`} className="grid gap-1">
        {offers.map(({ variantId, label, unit, unitPrice, costsMore }) => (
          <li key={variantId} className="wrap-anywhere">
            {label}: ${unitPrice} per {unit}
            {costsMore ? <span className="font-medium text-warning">, costs more</span> : null}
          </li>
        ))}
      </ul>
      <p className="text-muted">
        {item?.dispenseAsWritten
          ? `The prescriber requires ${item.dispenseAsWritten}. Another product needs their agreement.`
          : 'To dispense one of them, ask the customer to order it, then refuse this line. They won’t be charged for this line.'}
      </p>
    </Disclosure>
  )
}

/** "FDA’s list of Jul 16, 2026". */
export const listText = (listDate: string | null): string =>
  listDate === null ? 'FDA’s list' : `FDA’s list of ${formatDay(listDate)}`

/** Questions to the customer about the cheapest equivalents. */
export const questionsAbout = ({ orderedUnitPrice, offers }: Equivalents): string[] =>
  offers
    .slice(0, maxQuestions)
    .map(
      ({ label, unit, unitPrice, costsMore }) =>
        `Would you take ${label} instead? FDA rates it as equivalent to what you ordered. It costs ${costsMore ? 'more: ' : ''}$${unitPrice} per ${unit} instead of $${orderedUnitPrice}. If so, please order it, and tell us. You won’t pay for this one.`,
    )

const maxQuestions = 3
