import {
  changedIdentity,
  changedPackageFacts,
  describeImportedPackage,
  type PackageFacts,
  type PackageIdentity,
} from './edit-questions.ts'
import type { VariantChanges } from './variant-fields.ts'
import type { VariantValues } from './variant-wire.ts'

/** Less than ten, because a typed price is rounded: 12.99 becomes 1.30. */
const largeFactor = 9

const freeWarning = 'The new price is $0.00. Check it for a typo.'

/** The same as `findImportWarning` for a line that adds a variant. */
export const findNewVariantWarning = (priceCents: number): string | null =>
  priceCents === 0 ? freeWarning : null

/**
 * What an admin should check before a line of a CSV import changes a variant, one sentence per
 * line. Null when there is nothing to check. The line can be applied either way.
 */
export function findImportWarning(
  before: PackageFacts & PackageIdentity & Pick<VariantValues, 'priceCents'>,
  after: VariantChanges,
): string | null {
  const facts = changedPackageFacts(before, after)
  const identity = changedIdentity(before, after)
  const warnings = [
    ...(facts.length + identity.length > 0 ? [describeImportedPackage(facts, identity)] : []),
    ...describeLargeChange(before.priceCents, after.price),
  ]
  return warnings.length > 0 ? warnings.join('\n') : null
}

function describeLargeChange(before: number | null, after: number | undefined): string[] {
  if (after === undefined || after === before) return []
  if (after === 0) return [freeWarning]
  if (!before) return []
  const rises = after > before
  const factor = rises ? after / before : before / after
  if (factor < largeFactor) return []
  const times = Math.round(factor).toLocaleString('en-US')
  return [
    `The new price is about ${rises ? `${times} times` : `1/${times} of`} the current price. Check it for a typo.`,
  ]
}
