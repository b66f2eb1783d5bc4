import { listLinesOf, type StoredCartLine } from '#db/cart/carts.ts'
import { toCustomerAlerts, type CustomerAlerts } from '#domain/alerts/customer-alerts.ts'
import { alertLineName } from '#domain/alerts/alert-text.ts'
import { isTooSoon } from '#domain/dispensing/resolve-line.ts'
import { recordRead } from '../audit/record-audit.ts'
import { findCurrentCart } from '../cart/find-cart.ts'
import { listLines } from '../cart/cart-lines.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { readTherapy } from '../dispensing/read-therapy.ts'
import { resolveLines } from '../dispensing/resolve-lines.ts'
import { listInForce } from './list-checked-lists.ts'
import { screenLines } from './screen-lines.ts'

/**
 * What the lists say about the cart of the signed-in customer, or of the visitor with this cookie
 * token: its lines with each other, and with the customer's record. Null for an empty cart.
 */
export async function screenCart(ctx: Context, token: string | null): Promise<CustomerAlerts | null> {
  const cart = await findCurrentCart(ctx, token)
  if (!cart) return null
  const lines = (await listLines(ctx, cart)).filter(({ isDeleted }) => !isDeleted)
  return lines.length === 0 ? null : (await screenForCustomer(ctx, lines)).view
}

/**
 * What the lists say about a variant for the signed-in customer. Null for a visitor, and for a
 * customer of whom nothing is on record.
 */
export async function screenVariant(ctx: Context, variantId: string | null): Promise<CustomerAlerts | null> {
  if (!ctx.user || variantId === null) return null
  const lines = await listLinesOf(ctx.db, [{ variantId, quantity: 1, priceCents: 0 }])
  const { view, hasRecord } = await screenForCustomer(ctx, lines)
  return hasRecord ? view : null
}

/** What the lists say about items that the signed-in customer is about to pay. */
export async function screenItems(
  ctx: Context,
  items: readonly { variantId: string; quantity: number }[],
): Promise<CustomerAlerts | null> {
  const lines = await listLinesOf(
    ctx.db,
    items.map((item) => ({ ...item, priceCents: 0 })),
  )
  return (await screenForCustomer(ctx, lines)).view
}

/** The alerts of lines for the signed-in customer. A read of what is on record is audited. */
async function screenForCustomer(
  ctx: Context,
  stored: readonly StoredCartLine[],
): Promise<{ view: CustomerAlerts | null; hasRecord: boolean }> {
  const lists = await listInForce(ctx)
  // Nothing is compared, so there is nothing to say.
  if (lists.length === 0) return { view: null, hasRecord: false }
  const userId = ctx.user?.id ?? null
  const key = userId === null ? null : await openUserKey(ctx, userId)
  const therapy = key && userId !== null ? await readTherapy(ctx, key, userId) : { items: [], fills: [] }
  const items = userId === null ? new Map<string, string>() : await findItems(ctx, userId, stored)
  const screening = await screenLines(ctx, key, {
    userId,
    patientId: userId,
    therapy,
    lines: stored.map(({ product, variant }) => ({
      id: variant.id,
      variantId: variant.id,
      name: alertLineName(product, variant),
      itemId: items.get(variant.id) ?? null,
      fill: null,
      lots: null,
    })),
  })
  const { hasRecord } = screening
  if (userId !== null && hasRecord) await recordRead(ctx, { action: 'alerts.read', subjectId: userId })
  const otc = new Set(
    stored.flatMap(({ product, variant }) => (product.category === 'OTC' ? variant.id : [])),
  )
  return { view: toCustomerAlerts(screening, { lists, isOtc: (id) => otc.has(id) }), hasRecord }
}

/** The customer's prescription items that cover lines, by variant: a refill is no duplicate. */
async function findItems(
  ctx: Context,
  userId: string,
  lines: readonly StoredCartLine[],
): Promise<Map<string, string>> {
  const resolutions = await resolveLines(
    ctx,
    userId,
    lines.flatMap(({ variant, quantity, prescribed }) =>
      prescribed
        ? [
            {
              variantId: variant.id,
              medicine: prescribed.medicine,
              units: prescribed.unitsPerPack * quantity,
            },
          ]
        : [],
    ),
  )
  return new Map(
    [...resolutions].flatMap(([variantId, { all: resolution }]): [string, string][] =>
      resolution.kind === 'covered' || (resolution.kind === 'refused' && isTooSoon(resolution.problem))
        ? [[variantId, resolution.item.id]]
        : [],
    ),
  )
}
