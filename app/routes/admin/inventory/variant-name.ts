import type { StockedVariant } from '#domain/inventory/inventory-grid.ts'

/** "Ibuprofen: Advil, 200 mg, 24 tablet": which variant it is, among all. */
export const variantName = ({ productName, label }: Pick<StockedVariant, 'productName' | 'label'>): string =>
  `${productName}: ${label}`
