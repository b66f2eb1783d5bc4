import { BadgeCheck, Mail, Truck, Undo2 } from '../../ui/icons.tsx'

/** What happens to an order and its money, beside the button that gives it. */
export const TrustFacts = ({ needsPrescription }: { needsPrescription: boolean }) => (
  <ul id="what-next" className="mt-4 grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
    {needsPrescription ? (
      <li className="flex gap-2">
        <BadgeCheck className="icon text-primary" />
        Pharmacy review of a prescription typically takes 1-2 business days. Nothing ships before.
      </li>
    ) : null}
    <li className="flex gap-2">
      <Truck className="icon text-primary" />
      Processed in 1-2 business days, then 3-5 days on the way in the US, 7-14 abroad.
    </li>
    <li className="flex gap-2">
      <Undo2 className="icon text-primary" />
      Cancel until it ships, and everything is refunded. Medications cannot be returned after that.
    </li>
    <li className="flex gap-2">
      <Mail className="icon text-primary" />
      An email at each step, with the tracking number once it ships.
    </li>
  </ul>
)
