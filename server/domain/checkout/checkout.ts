import { z } from 'zod'
import { addressSchema } from '../accounts/addresses.ts'
import { categories, dosageForms } from '../catalog/catalog.ts'

/** The rules of paying (contract, "Payment and orders"). */

/**
 * `open`: frozen and reserved, to be paid. `paid`: the money is there and no order yet. `ordered`. `cancelled`: released unpaid.
 * `refunded`: the money was there and goes back without an order.
 */
export type CheckoutStatus = 'open' | 'paid' | 'ordered' | 'cancelled' | 'refunded'

/** Why money goes back: the order was cancelled, its stock was gone, no order came in time, or an admin gives some of it back. */
export type RefundReason = 'cancelled' | 'out of stock' | 'no order' | 'returned'

/** A line as it was when it was frozen: an order keeps it word for word. */
export const lineSchema = z.object({
  id: z.string(),
  productVariantId: z.string(),
  quantity: z.number().int().positive(),
  priceCents: z.number().int().positive(),
  /** Whether it takes from a tracked stock. */
  isTracked: z.boolean(),
  product: z.object({ id: z.string(), name: z.string(), category: z.enum(categories) }),
  variant: z.object({
    brandName: z.string().nullable(),
    strength: z.string(),
    strengthUnit: z.string(),
    dosageForm: z.enum(dosageForms).nullable(),
    packageSize: z.number(),
    packageUnit: z.string(),
  }),
})
export type FrozenLine = z.infer<typeof lineSchema>

/** An address as it is printed, and its parts where they were told apart. */
export const shipToSchema = z.object({ text: z.string(), parts: addressSchema.nullable() })
export type ShipTo = z.infer<typeof shipToSchema>

/** What a checkout freezes. */
export const frozenSchema = z.object({
  lines: z.array(lineSchema),
  shipTo: shipToSchema.nullable(),
  prescriptionId: z.string().nullable(),
  customer: z.object({ name: z.string(), email: z.string() }),
})
export type Frozen = z.infer<typeof frozenSchema>

export const totalOf = (lines: readonly Pick<FrozenLine, 'priceCents' | 'quantity'>[]): number =>
  lines.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0)

export const needsPrescription = (lines: readonly Pick<FrozenLine, 'product'>[]): boolean =>
  lines.some(({ product }) => product.category === 'Rx')

/** An order's lines and prices in one text, whatever their order: what a page showed against what is true now. */
export const seenOf = (
  lines: readonly { productVariantId: string; quantity: number; priceCents: number | null }[],
): string =>
  lines
    .map(
      ({ productVariantId, quantity, priceCents }) => `${productVariantId}*${quantity}@${priceCents ?? '-'}`,
    )
    .toSorted()
    .join(' ')
