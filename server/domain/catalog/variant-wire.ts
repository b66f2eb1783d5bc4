import type { DosageForm } from './catalog.ts'
import { decimalFromCents } from '../money.ts'

/** The editable values of a variant, as stored. */
export type VariantValues = {
  brandName: string | null
  manufacturerId: string | null
  dosageForm: DosageForm | null
  strength: string
  strengthUnit: string
  packageSize: number
  packageUnit: string
  priceCents: number | null
  acquisitionCostCents: number | null
  sku: string | null
  upc: string | null
  ndc: string | null
  din: string | null
  inStock: boolean
  stockQuantity: number
  trackInventory: boolean
  linkedVariantId: string | null
}

const toDecimal = (cents: number | null): string | null => (cents === null ? null : decimalFromCents(cents))

/** The same values as the API and forms write them. */
export const variantToWire = (variant: VariantValues): Record<string, string | number | boolean | null> => ({
  brandName: variant.brandName,
  manufacturerId: variant.manufacturerId,
  dosageForm: variant.dosageForm,
  strength: variant.strength,
  strengthUnit: variant.strengthUnit,
  packageSize: variant.packageSize,
  packageUnit: variant.packageUnit,
  price: toDecimal(variant.priceCents),
  acquisitionCost: toDecimal(variant.acquisitionCostCents),
  sku: variant.sku,
  upc: variant.upc,
  ndc: variant.ndc,
  din: variant.din,
  inStock: variant.inStock,
  stockQuantity: variant.stockQuantity,
  trackInventory: variant.trackInventory,
  linkedVariantId: variant.linkedVariantId,
})
