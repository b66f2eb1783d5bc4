import { renderStatic } from '../../render/fragment-cache.server.ts'
import { BadgeCheck, Mail, Truck, Undo2 } from '../../ui/icons.tsx'

type TrustFactsProps = { needsPrescription: boolean }

/**
 * What happens after the order is placed, as HTML: it has no behavior, so the page loads no code
 * for it.
 */
export const renderTrustFacts = (facts: TrustFactsProps): string => renderStatic(TrustFacts, facts)

const TrustFacts = ({ needsPrescription }: TrustFactsProps) => (
  <ul className="mt-4 grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
    {needsPrescription ? (
      <li className="flex gap-2">
        <BadgeCheck className="icon text-primary" />A pharmacist checks each prescription item, usually within
        1-2 business days. We reserve the amount on your card now and charge it once, for what is cleared.
      </li>
    ) : null}
    <li className="flex gap-2">
      <Truck className="icon text-primary" />
      The pharmacy prepares your order in 1-2 business days. The order summary has the delivery time.
    </li>
    <li className="flex gap-2">
      <Undo2 className="icon text-primary" />
      Cancel before it ships for a full refund. Medications can’t be returned after that.
    </li>
    <li className="flex gap-2">
      <Mail className="icon text-primary" />
      We’ll email you at each step, with the tracking number when it ships.
    </li>
  </ul>
)
