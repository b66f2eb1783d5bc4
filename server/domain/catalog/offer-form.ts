import type { VariantDetail } from './catalog.ts'
import { releasesOf } from './releases.ts'

/** What a label may add to a plain tablet or capsule that stays the same choice for a customer. */
const coatings = ['film coated', 'coated', 'sugar coated', 'gelatin coated', 'immediate release']

/**
 * The form of an offer as its label states it, in lower case: "tablet", "tablet, extended release",
 * "lotion" for a lotion that we list with creams. Without a label it is our own form, or empty.
 * Coatings are left out of plain forms only: extended-release tablets with different coatings may
 * last 12 or 24 hours, and no label tells (docs/dispensing.md, rule 1).
 */
export function offerForm({
  dosageForm,
  labelForm,
}: Pick<VariantDetail, 'dosageForm' | 'labelForm'>): string {
  // Canada writes "TABLET (EXTENDED-RELEASE)" and "POWDER FOR SUSPENSION".
  const label = (labelForm ?? dosageForm ?? '').toLowerCase().replaceAll('-', ' ')
  const parts = label.split(/[,;()]/).map((part) => part.trim())
  const isPlain = releasesOf(label).length === 0
  return parts
    .filter((part) => part !== '' && !(isPlain && coatings.includes(part)))
    .join(', ')
    .replace(', for ', ' for ')
}
