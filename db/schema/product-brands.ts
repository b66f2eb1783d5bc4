import type { BrandLetter } from '#domain/catalog/brands.ts'

/** The brands under which a product's live variants are sold, kept by refreshProductBrands. */
export type ProductBrandsTable = {
  /** The name folded: all spellings of one brand. */
  brandKey: string
  productId: string
  letter: BrandLetter
  /** The name as one reads it: the spelling that most of the variants have. */
  label: string
  /** The variant that stands for the brand: what can be bought comes first. */
  variantId: string
}
