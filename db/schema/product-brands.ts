import type { BrandLetter } from '#domain/catalog/brands.ts'

/** The brands under which a product's live variants are sold, kept by refreshProductBrands. */
export type ProductBrandsTable = {
  /** The folded name, shared by all spellings of one brand. */
  brandKey: string
  productId: string
  letter: BrandLetter
  /** The most common spelling among the variants. */
  label: string
  /** The variant that represents the brand. Variants on sale come first. */
  variantId: string
}
