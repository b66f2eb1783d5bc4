import { z } from 'zod'
import { addressSchema } from '../accounts/addresses.ts'
import { alertCountSchema } from '../alerts/alert-counts.ts'
import { categories, dosageForms } from '../catalog/catalog.ts'
import { medicineSchema } from '../dispensing/medicine.ts'
import { lotUnitsSchema } from '../inventory/lots.ts'
import type { PrescriptionStatus } from '../prescriptions/prescriptions.ts'

/** The rules of paying (contract, "Payment and orders"). */

/**
 * `open`: frozen and reserved, not paid yet. `paid`: paid, without an order yet. `ordered`: has an
 * order. `cancelled`: released without a payment. `refunded`: paid, and refunded or voided without
 * an order.
 */
export type CheckoutStatus = 'open' | 'paid' | 'ordered' | 'cancelled' | 'refunded'

/**
 * Why a payment is refunded: the order was cancelled, an item sold out, a prescription no longer
 * covered it, no order was created in time, an admin refunded some lines, or a pharmacist refused
 * some after they were charged.
 */
export type RefundReason = 'cancelled' | 'out of stock' | 'not covered' | 'no order' | 'returned' | 'refused'

/** A line as it was at checkout. The order keeps it unchanged. */
export const lineSchema = z.object({
  id: z.string(),
  productVariantId: z.string(),
  quantity: z.number().int().positive(),
  priceCents: z.number().int().positive(),
  /** Whether the shop tracks the variant's stock. */
  isTracked: z.boolean(),
  product: z.object({ id: z.string(), name: z.string(), category: z.enum(categories) }),
  variant: z.object({
    brandName: z.string().nullable(),
    strength: z.string(),
    strengthUnit: z.string(),
    dosageForm: z.enum(dosageForms).nullable(),
    /** As in `Variant`. Orders from before it was kept have none. */
    formDetail: z.string().default(''),
    packageSize: z.number(),
    packageUnit: z.string(),
  }),
  /**
   * What a prescription is compared with, and the units that the line holds. Only prescription
   * lines have them; those from before migration 0032 have none.
   */
  medicine: medicineSchema.optional(),
  units: z.int().positive().optional(),
  /** How long the units last, when the prescription item was known at checkout. */
  daysSupply: z.int().positive().optional(),
  /**
   * The dependant that an item without a prescription is for; absent for the customer. A
   * prescription line is for its prescription's patient.
   */
  patientId: z.string().optional(),
  /** The lots that an order holds; the rest of its units is in no lot. */
  lots: z.array(lotUnitsSchema).optional(),
})
export type FrozenLine = z.infer<typeof lineSchema>

/** An address as printed, and its parts where they are known. */
export const shipToSchema = z.object({ text: z.string(), parts: addressSchema.nullable() })
export type ShipTo = z.infer<typeof shipToSchema>

/** What a checkout freezes. */
export const checkoutContentSchema = z.object({
  /** The customer. */
  userId: z.string(),
  lines: z.array(lineSchema),
  shipTo: shipToSchema.nullable(),
  prescriptionId: z.string().nullable(),
  customer: z.object({ name: z.string(), email: z.string() }),
  /** The alerts that the customer confirmed reading, for their report. */
  confirmedAlerts: z.array(alertCountSchema).optional(),
})
export type CheckoutContent = z.infer<typeof checkoutContentSchema>

export const sumLines = (lines: readonly Pick<FrozenLine, 'priceCents' | 'quantity'>[]): number =>
  lines.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0)

/**
 * Whether an order may use a prescription with this status (settled decisions, "Prescription
 * status").
 */
export const isUsableAtCheckout = (status: PrescriptionStatus): boolean =>
  status === 'approved' || status === 'under_review'

export const needsPrescription = (lines: readonly Pick<FrozenLine, 'product'>[]): boolean =>
  lines.some(({ product }) => product.category === 'Rx')

/**
 * Prescription lines are authorized first and charged once a pharmacist has cleared them. Depends
 * on the lines alone, so that a repeated call for the same checkout decides alike.
 */
export const captureMethodOf = (lines: readonly Pick<FrozenLine, 'product'>[]): 'automatic' | 'manual' =>
  needsPrescription(lines) ? 'manual' : 'automatic'

/** Lines and prices as one string, independent of their order: compares a page with the cart. */
export const computeFingerprint = (
  lines: readonly { productVariantId: string; quantity: number; priceCents: number | null }[],
): string =>
  lines
    .map(
      ({ productVariantId, quantity, priceCents }) => `${productVariantId}*${quantity}@${priceCents ?? '-'}`,
    )
    .toSorted()
    .join(' ')
