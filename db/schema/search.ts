export type ProductNamesTable = {
  nameKey: string
  productId: string
  kind: 'product' | 'ingredient' | 'brand'
  label: string
}

/** The full-text column itself differs by engine and is reached in db/search only. */
export type ProductDocumentsTable = {
  /** The place in the list's order. */
  id: number
  productId: string
}

export type SearchWordsTable = { word: string; products: number }
export type SearchWordDeletionsTable = { deletion: string; word: string }
