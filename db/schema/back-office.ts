/** A change of a product or one of its variants: who, when, before, after. */
export type CatalogChangesTable = {
  id: string
  productId: string
  /** Null when the product itself changed. */
  variantId: string | null
  /** Null when the shop itself did it. */
  actorId: string | null
  action: 'created' | 'updated' | 'deleted'
  /** JSON of the fields that changed, as they were; null of what is new. */
  beforeFields: string | null
  /** The same as they are; null of what is gone. */
  afterFields: string | null
  at: Date
}

/** How somebody wants a grid of the back office. */
export type GridSettingsTable = {
  userId: string
  grid: string
  /** JSON: the ids of the columns that are not shown. */
  hiddenColumns: string
}
