/** The set of ingredients of a product, by the keys of the care lists (`care_ingredient_names`). */
export type ProductIngredientsTable = { productId: string; ingredient: string }

/** Names of a product's substances that the care lists do not have, in upper case. */
export type UnknownIngredientNamesTable = { productId: string; name: string }

/** What catalog managers decided about names that the care lists do not have. */
export type ShopIngredientNamesTable = {
  /** In upper case. */
  name: string
  /** Null when no ingredient of the lists is in it. */
  ingredient: string | null
  updatedBy: string
  updatedAt: Date
}
