import type { Generated } from 'kysely'
import type { NameKind } from '#domain/search/product-document.ts'

export type ProductNamesTable = {
  nameKey: string
  productId: string
  kind: NameKind
  label: string
}

/** The full-text column differs by engine, and only db/search uses it. */
export type ProductDocumentsTable = {
  /** The position in the order of results. */
  id: number
  productId: string
  /**
   * The product's category, pharmacy and offers (`db/search/count-offers.ts`). Triggers keep it
   * current. Null in a document that Postgres had before migration 0058.
   */
  offerGroup: Generated<string | null>
}

/** The words of all names, each with its number of products. */
export type SearchWordsTable = { word: string; reversed: string; products: number }

/** A pharmacist's decision on a row of the table of lay terms and classes. */
export type NeedReviewsTable = {
  rowKey: string
  status: 'reviewed' | 'rejected'
  decidedBy: string
  decidedAt: Date
}
