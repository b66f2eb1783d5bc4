export type ProductNamesTable = {
  nameKey: string
  productId: string
  kind: 'product' | 'ingredient' | 'brand'
  label: string
}

/** The full-text column itself differs by engine and is reached in db/search only. */
export type ProductDocumentsTable = {
  /** The place in the order of results. */
  id: number
  productId: string
}

/** The words of names, each with the number of products that have it. */
export type SearchWordsTable = { word: string; reversed: string; products: number }
