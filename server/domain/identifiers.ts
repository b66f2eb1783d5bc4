/** NDC, DIN and UPC in every written form. See docs/catalog.md for what the codes mean. */
export const identifierKinds = ['ndc', 'ndc-product', 'ndc-10', 'ndc-11', 'din', 'upc'] as const
export type IdentifierKind = (typeof identifierKinds)[number]
