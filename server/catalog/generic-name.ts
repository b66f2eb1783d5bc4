/** What a variant made by hand is of: the medicine's ingredients, or the medicine itself. */
export const genericNameOf = (product: { name: string; ingredients: string | null }): string =>
  product.ingredients ?? product.name
