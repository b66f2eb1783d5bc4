import { fold } from '../text.ts'

/** The sections of the brand list, in byte order as both engines sort them. */
export const brandLetters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'other'] as const
export type BrandLetter = (typeof brandLetters)[number]

/**
 * Longer names count as the same brand past this length, because an index entry has a size limit.
 */
const maxKeyLength = 200

/**
 * The key shared by all spellings of a brand: "APO-Simvastatin" and "APO SIMVASTATIN" are the same.
 * A name made only of punctuation is its own key.
 */
export const brandKey = (name: string): string =>
  (fold(name) || name.trim()).slice(0, maxKeyLength).toWellFormed()

/** The letter a brand is listed under. Digits and other scripts share "other". */
export function brandLetter(key: string): BrandLetter {
  const first = /^[a-z]/.test(key) ? key.charAt(0).toUpperCase() : ''
  return brandLetters.find((letter) => letter === first) ?? 'other'
}

/** A brand in the list, shown by a variant of its best-selling product. */
export type BrandCard = {
  key: string
  name: string
  productId: string
  productName: string
  category: string
  controlledSchedule: string | null
  variantId: string
  image: string
  imageAlt: string
  /** Other products sold under the same brand. */
  otherProductCount: number
}
