import type { DosageForm } from '#domain/catalog/catalog.ts'
import type { ColumnType, Generated } from 'kysely'

export type ProductVariantsTable = {
  id: string
  productId: string
  brandName: string | null
  genericName: string
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
  trackInventory: Generated<boolean>
  inStock: Generated<boolean>
  stockQuantity: Generated<number>
  /** What open and paid checkouts hold of the stock on hand. */
  reservedQuantity: Generated<number>
  /** The time of the newest ledger row, in milliseconds since 1970; the next one is at least one later. */
  ledgerMs: Generated<number>
  linkedVariantId: string | null
  labelStrength: string | null
  labelForm: string | null
  labelPack: string | null
  /** The schedule that this row is under, in the directory's words or by its ingredients. */
  controlledSchedule: string | null
  /** The directory row this came from ("ndc:0228-2899-96"); null when made by hand. */
  catalogKey: string | null
  catalogDigest: string | null
  /** The names by which the row is asked for: [kind, label, folded]; written as JSON text. */
  catalogNames: ColumnType<[string, string, string][] | null, string | null, string | null>
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}
