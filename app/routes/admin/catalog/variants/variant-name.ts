import { variantLabel } from '#domain/catalog/catalog.ts'
import type { VariantRow } from '#domain/catalog/variant-grid.ts'

/** "Ibuprofen, Advil, 200 mg, 24 tablet". */
export const variantName = (row: VariantRow): string => `${row.productName}, ${variantLabel(row)}`
