import { dollars } from '#domain/money.ts'
import type { Saving } from '#domain/catalog/variant-choice.ts'
import { Link } from '../../render/Link.tsx'
import { PiggyBank } from '../../ui/icons.tsx'

/** Next to a brand: the generic's savings for the same amount of medicine. */
export const SavingsNote = ({ saving, path }: { saving: Saving; path: string }) => (
  <p className="flex items-start gap-3 rounded-box border border-success/40 p-3">
    <PiggyBank className="icon mt-0.5 text-success" />
    <span>
      <strong className="text-success">Save {saving.percent}% with the generic</strong> (
      {dollars(saving.perPack)} on this pack).{' '}
      <Link to={`${path}?variant=${saving.variantId}`} preventScrollReset className="text-link">
        See the generic
      </Link>
      . Ask a pharmacist before you switch.
    </span>
  </p>
)
