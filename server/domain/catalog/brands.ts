import { fold } from '../text.ts'

/** Under what the brands are listed, in the list's order: byte order, as both engines sort it. */
export const brandLetters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'other'] as const
export type BrandLetter = (typeof brandLetters)[number]

/** Past this many characters names that differ are one brand; an index takes no key of any length. */
const keyLength = 200

/**
 * What makes two spellings one brand: "APO-Simvastatin" and "APO SIMVASTATIN" are the same. A name of signs alone is
 * its own key.
 */
export const brandKey = (name: string): string =>
  (fold(name) || name.trim()).slice(0, keyLength).toWellFormed()

/** The letter that a brand's key is found under; digits and other scripts have one place together. */
export function brandLetter(key: string): BrandLetter {
  const first = /^[a-z]/.test(key) ? key.charAt(0).toUpperCase() : ''
  return brandLetters.find((letter) => letter === first) ?? 'other'
}

/** One brand in the list, shown by a variant of its most popular medicine. */
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
  /** Other medicines sold under the same brand. */
  others: number
}
