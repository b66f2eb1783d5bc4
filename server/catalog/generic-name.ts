/** The generic name of a variant that an admin created: the product's ingredients, or its name. */
export const getGenericName = (product: { name: string; ingredients: string | null }): string =>
  product.ingredients ?? product.name
