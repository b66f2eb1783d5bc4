import { maxLines, maxQuantity } from '../cart/cart.ts'
import { z } from 'zod'
import { addressBounds, parseAddress } from '../accounts/addresses.ts'
import * as checkoutMessages from '../checkout/checkout-messages.ts'
import type { ShipTo } from '../checkout/checkout.ts'
import { parseCents } from '../money.ts'
import { orderStatuses } from './order-status.ts'
import { isBlank, cleanLine } from '../clean-text.ts'

/** Requests about orders (specification, section 7; contract, "Payment and orders"). */

const quantity = z.number({ error: 'quantity must be a number.' })
const id = z.string({ error: 'productVariantId must be a string.' }).max(64)

const missing = `${checkoutMessages.missingAddress}. Write the address as street, city, state zip, country.`

/** The documented string; its parts only when all five are present. */
const shippingAddress = z
  .string({ error: 'must be a string.' })
  .max(addressBounds.text, 'is too long.')
  .transform((text, ctx): ShipTo => {
    const parts = parseAddress(text)
    if (!parts) {
      ctx.addIssue({ code: 'custom', message: missing })
      return z.NEVER
    }
    const isComplete = parts.stateProvince !== '' && parts.zipCode !== ''
    return { text: text.trim(), parts: isComplete ? parts : null }
  })

const prescriptionId = z.string({ error: 'must be a string or null.' }).max(64).nullable()

export const paymentIntentSchema = z.object({
  items: z.array(z.object({ productVariantId: id, quantity }), { error: 'must be a list.' }),
  shippingAddress: shippingAddress.nullish(),
  prescriptionId: prescriptionId.optional(),
  alertsRead: z.boolean({ error: 'must be true or false.' }).optional(),
})

const total = z.string({ error: 'must be a string with two decimals.' }).transform((text, ctx) => {
  const cents = parseCents(text)
  if (cents !== null) return cents
  ctx.addIssue({ code: 'custom', message: 'must be an amount with two decimals.' })
  return z.NEVER
})

/** The status, items and prices are accepted but ignored: the payment's checkout decides. */
export const newOrderSchema = z.object({
  stripePaymentId: z
    .string({ error: 'stripePaymentId is missing.' })
    .min(1, 'stripePaymentId is missing.')
    .max(255),
  status: z.unknown().optional(),
  total: total.nullish(),
  shippingAddress: shippingAddress.nullish(),
  prescriptionId: prescriptionId.optional(),
  items: z
    .array(
      z.object({
        productVariantId: id,
        quantity: quantity.int().min(1).max(maxQuantity),
        price: z.unknown().optional(),
      }),
      {
        error: 'must be a list.',
      },
    )
    .max(maxLines, `items can have at most ${maxLines} entries.`)
    .nullish(),
})

const shipmentText = z
  .string({ error: 'must be a string or null.' })
  .nullable()
  .transform((text) => (text === null || isBlank(text) ? null : cleanLine(text)))
  .refine((text) => text === null || text.length <= 100, 'must have at most 100 characters.')

/** An admin's changes to an order. Omitted fields stay unchanged. */
export const orderEditSchema = z.object({
  status: z.enum(orderStatuses, { error: `must be one of ${orderStatuses.join(', ')}.` }).optional(),
  trackingNumber: shipmentText.optional(),
  carrier: shipmentText.optional(),
  estimatedDelivery: z.iso.date({ error: 'must be a date like 2026-01-31.' }).nullable().optional(),
})
