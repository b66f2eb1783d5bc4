import { listFills } from '#db/dispensing/fills.ts'
import { findOrder } from '#db/orders/orders.ts'
import type { StoredCartLine } from '#db/cart/carts.ts'
import { findOfferProblem, maxQuantity } from '#domain/cart/cart.ts'
import { variantLabel } from '#domain/catalog/catalog.ts'
import { problemMessage } from '#domain/dispensing/line-messages.ts'
import type { RefillChoice } from '#domain/dispensing/medication-view.ts'
import { nextFillUnits, refillProblem } from '#domain/dispensing/medication.ts'
import { AppError } from '#domain/errors.ts'
import { decimalFromCents } from '#domain/money.ts'
import { recordRead } from '../audit/record-audit.ts'
import { fillCart } from '../cart/fill-cart.ts'
import type { Context } from '../context.ts'
import { filterEqualVariants, listEqualVariants } from '../dispensing/list-equal-variants.ts'
import { findOwnItem, type OwnItem } from '../dispensing/list-medications.ts'
import { notFoundForUser } from '../note-refusal.ts'
import { requireUser } from '../require-user.ts'
import { getSettings } from '../settings/get-settings.ts'
import { openContent } from './sealed-order.ts'

/** `choose`: the wanted product is not available, and the customer chooses an equal one. */
export type RefillResult = 'in cart' | 'fewer in cart' | 'choose'

/** The message when nothing equal is in stock. */
const noneAvailable =
  'We don’t have this medicine in a package size that your prescription allows right now. Contact us, and a pharmacist will help.'

/**
 * Puts one fill of an item of the signed-in customer's into their cart: the product of its last
 * fill, or the best of the equal ones when there was none. Calling it twice adds it once. Throws
 * UNAUTHENTICATED, NOT_FOUND for another user's item, and CONFLICT when it cannot be refilled now.
 * @param variantId the customer's own choice among the equal products
 */
export async function refillMedication(
  ctx: Context,
  { itemId, variantId = null }: { itemId: string; variantId?: string | null },
): Promise<RefillResult> {
  const own = await requireRefillable(ctx, itemId)
  const knownId = variantId ?? (await findLastVariantId(ctx, itemId))
  const [known] = knownId === null ? [] : toChoices(own, await filterEqualVariants(ctx, own.item, [knownId]))
  const choices = known ? [known] : await listChoices(ctx, own)
  const choice = known ?? (knownId === null ? choices[0] : undefined)
  if (!choice) {
    if (choices.length === 0) throw new AppError('CONFLICT', noneAvailable)
    return 'choose'
  }
  const [filled] = await fillCart(ctx, [{ variantId: choice.variantId, quantity: choice.quantity }])
  if (!filled || filled.quantity === 0) throw new AppError('CONFLICT', noneAvailable)
  return filled.quantity < choice.quantity ? 'fewer in cart' : 'in cart'
}

/**
 * The products that one fill of an item can be filled with now, the best first: the most units,
 * then the lowest price. Throws like `refillMedication`.
 */
export async function listRefillChoices(ctx: Context, itemId: string): Promise<RefillChoice[]> {
  return listChoices(ctx, await requireRefillable(ctx, itemId))
}

async function requireRefillable(ctx: Context, itemId: string): Promise<OwnItem> {
  const { id: userId } = requireUser(ctx)
  const own = await findOwnItem(ctx, itemId)
  if (!own) throw notFoundForUser(ctx, itemId)
  await recordRead(ctx, { action: 'medications.read', subjectId: userId })
  const { refillOpensAtPercent: opensAtPercent } = await getSettings(ctx)
  const problem = refillProblem(own.item, own.fills, { now: ctx.now, opensAtPercent })
  if (problem) {
    const { medicine, dispenseAsWritten: brand } = own.item
    throw new AppError('CONFLICT', problemMessage(problem, { ...medicine, brand }))
  }
  return own
}

const listChoices = async (ctx: Context, own: OwnItem): Promise<RefillChoice[]> =>
  toChoices(own, await listEqualVariants(ctx, own.item))

/** Those in stock in packs that one fill allows. */
function toChoices({ item, fills }: OwnItem, variants: readonly StoredCartLine[]): RefillChoice[] {
  const units = nextFillUnits(item, fills)
  return variants
    .flatMap(({ product, variant, prescribed, priceCents }) => {
      const unitsPerPack = prescribed?.unitsPerPack ?? 1
      const quantity = Math.min(maxQuantity, Math.floor(units / unitsPerPack))
      const offer = { ...variant, priceCents, controlledSchedule: product.controlledSchedule }
      if (quantity === 0 || findOfferProblem(offer, 1) !== null) return []
      const name = variantLabel(variant)
      const totalCents = (priceCents ?? 0) * quantity
      return [{ variantId: variant.id, name, quantity, totalCents, units: quantity * unitsPerPack }]
    })
    .toSorted((a, b) => b.units - a.units || a.totalCents - b.totalCents)
    .map(({ totalCents, units: _units, ...choice }) => ({ ...choice, total: decimalFromCents(totalCents) }))
}

/** The product of the item's last fill; null when it has none. */
async function findLastVariantId(ctx: Context, itemId: string): Promise<string | null> {
  const { id: userId } = requireUser(ctx)
  const fill = (await listFills(ctx.db, userId)).findLast(
    (row) => row.itemId === itemId && row.orderId !== null && row.status !== 'released',
  )
  const row = fill?.orderId ? await findOrder(ctx.db, fill.orderId) : null
  if (!fill || !row) return null
  const line = openContent(ctx.keys, row).lines.find(({ id }) => id === fill.lineId)
  return line?.productVariantId ?? null
}
