/** A change to a product or one of its variants. */
export type CatalogChangesTable = {
  id: string
  productId: string
  /** Null when the product itself changed. */
  variantId: string | null
  /** Null when the shop itself changed it. */
  actorId: string | null
  action: 'created' | 'updated' | 'deleted'
  /** JSON of the changed fields, with their former values. Null for a new row. */
  beforeFields: string | null
  /** JSON of the changed fields, with their new values. Null for a deleted row. */
  afterFields: string | null
  at: Date
}

/** An admin's settings of a grid in the back office. */
export type GridSettingsTable = {
  userId: string
  grid: string
  /** JSON: the ids of the hidden columns. */
  hiddenColumns: string
  /** JSON: pixels by column id. Null until a column is resized. */
  widths: string | null
}

/** A named state of a grid: filters, sort and columns. */
export type GridViewsTable = {
  id: string
  userId: string
  grid: string
  name: string
  /** JSON: the parameters of the grid's URL. */
  params: string
  createdAt: Date
}
