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
  /** The FDA application it is marketed under ("ANDA018659"). Null outside the NDC directory. */
  applicationNumber: Generated<string | null>
  din: string | null
  trackInventory: Generated<boolean>
  inStock: Generated<boolean>
  stockQuantity: Generated<number>
  /** The stock on hand that open and paid checkouts reserve. */
  reservedQuantity: Generated<number>
  /** Whether it ever had stock in a lot. */
  hasLots: Generated<boolean>
  linkedVariantId: string | null
  labelStrength: string | null
  labelForm: string | null
  labelPack: string | null
  /** The controlled substance schedule, from the directory or by its ingredients. */
  controlledSchedule: string | null
  /** The directory row it came from ("ndc:0228-2899-96"). Null if an admin created it. */
  catalogKey: string | null
  catalogDigest: string | null
  /** The names that search finds it by: [kind, label, folded]. Written as JSON text. */
  catalogNames: ColumnType<unknown, string | null, string | null>
  /**
   * Rises with each change. A change of the stock raises it by a random step, so that it does not
   * count the orders.
   */
  version: Generated<number>
  createdAt: Date
  /** The last edit. An order does not set it. */
  updatedAt: Date
  deletedAt: Date | null
}

/** A variant that moved to another product. A trigger appends it. */
export type VariantMovesTable = { id: Generated<number>; variantId: string }
