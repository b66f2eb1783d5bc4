import type { CartLine } from '#domain/cart/cart.ts'
import { productKind } from '#domain/catalog/catalog.ts'
import { toIllustration, illustrationUrl } from '#domain/catalog/illustration.ts'
import { toMedicine, unitsOf, type Medicine } from '#domain/dispensing/medicine.ts'
import { shownPicture } from '#domain/catalog/product-pictures.ts'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import { publicVariantColumns, toVariant } from '../catalog/variants.ts'

/** A visitor's cart behind a cookie's token hash, or null. */
export async function findCartId(db: Db, tokenHash: string): Promise<string | null> {
  const row = await db
    .selectFrom('carts')
    .select('id')
    .where('tokenHash', '=', tokenHash)
    .where('userId', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Creates a visitor's cart. */
export async function insertCart(db: Db, cart: { id: string; tokenHash: string; now: Date }): Promise<void> {
  await db
    .insertInto('carts')
    .values({
      id: cart.id,
      tokenHash: cart.tokenHash,
      userId: null,
      createdAt: cart.now,
      updatedAt: cart.now,
    })
    .execute()
}

export async function deleteCart(db: Db, cartId: string): Promise<void> {
  await db.deleteFrom('carts').where('id', '=', cartId).execute()
}

const oldVisitorCarts = (db: Db, before: Date) =>
  db.selectFrom('carts').select('id').where('userId', 'is', null).where('updatedAt', '<', before)

/** Deletes up to `limit` visitors' carts that were not changed since. Returns how many. */
export async function deleteOldVisitorCarts(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  // The time is compared again: on Postgres, a visitor can change a cart between the two.
  const { numDeletedRows } = await db
    .deleteFrom('carts')
    .where('id', 'in', oldVisitorCarts(db, before).limit(limit))
    .where('userId', 'is', null)
    .where('updatedAt', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * Locks the cart's row for this transaction, so that concurrent writes to a cart run one at a time.
 * Returns false when the cart was deleted.
 */
export async function touchCart(db: Db, cartId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('carts')
    .set({ updatedAt: now })
    .where('id', '=', cartId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const selectLines = (db: Db) =>
  db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .select(publicVariantColumns)
    .select([
      'products.name as productName',
      'products.image as productImage',
      'products.imageCopy as productImageCopy',
      'products.category as productCategory',
      'products.controlledSchedule as productControlledSchedule',
      'products.ingredients',
      'products.route',
      'productVariants.labelStrength',
      'products.deletedAt as productDeletedAt',
      'productVariants.deletedAt as variantDeletedAt',
    ])

const cartRows = prepareQuery((db, p: Params<{ cartId: string }>) =>
  selectLines(db)
    .innerJoin('cartLines', 'cartLines.variantId', 'productVariants.id')
    .select(['cartLines.quantity', 'cartLines.priceCents as addedPriceCents'])
    .where('cartLines.cartId', '=', p.cartId)
    .orderBy('cartLines.createdAt')
    .orderBy('cartLines.variantId'),
)

const offeredRows = prepareQuery((db, p: Params<{ ids: string }>) =>
  selectLines(db).where(isOneOf(db, 'product_variants.id', p.ids)),
)
type OfferedRow = Awaited<ReturnType<typeof offeredRows>>[number]

/** A stored line with current product data. `isDeleted`: the variant or its product was deleted. */
export type StoredCartLine = Pick<CartLine, 'product' | 'variant' | 'quantity'> & {
  priceCents: number | null
  /** The price when the line was last changed. */
  addedPriceCents: number
  isDeleted: boolean
  /** What a prescription is compared with. Null for a line that needs none. */
  prescribed: { medicine: Medicine; unitsPerPack: number } | null
}

/** A line as a cart stores it. */
export type CartItem = { variantId: string; quantity: number; priceCents: number }

const cartItems = prepareQuery((db, p: Params<{ cartId: string }>) =>
  db
    .selectFrom('cartLines')
    .select(['variantId', 'quantity', 'priceCents'])
    .where('cartId', '=', p.cartId)
    .orderBy('createdAt')
    .orderBy('variantId'),
)

/** A visitor's lines as they are stored, in the order they were added. */
export const listCartItems = (db: Db, cartId: string): Promise<CartItem[]> => cartItems(db, { cartId })

/** A visitor's lines in the order they were added, with current prices and stock. */
export async function listCartLines(db: Db, cartId: string): Promise<StoredCartLine[]> {
  const rows = await cartRows(db, { cartId })
  return rows.map((row) => toLine(row, { quantity: row.quantity, priceCents: row.addedPriceCents }))
}

/** These lines in their order, with current prices and stock. Unknown variants are left out. */
export async function listLinesOf(db: Db, items: readonly CartItem[]): Promise<StoredCartLine[]> {
  if (items.length === 0) return []
  const rows = await offeredRows(db, { ids: JSON.stringify(items.map(({ variantId }) => variantId)) })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return items.flatMap((item) => {
    const row = byId.get(item.variantId)
    return row ? [toLine(row, item)] : []
  })
}

const toLine = (
  row: OfferedRow,
  { quantity, priceCents }: Pick<CartItem, 'quantity' | 'priceCents'>,
): StoredCartLine => ({
  product: {
    id: row.productId,
    name: row.productName,
    image:
      shownPicture(row.productImage, row.productImageCopy) ??
      illustrationUrl(row.id, toIllustration({ name: row.productName, route: row.route }, row)),
    category: row.productCategory,
    kind: productKind({
      route: row.route,
      forms: row.dosageForm ? [row.dosageForm] : [],
      category: row.productCategory,
    }),
    controlledSchedule: row.productControlledSchedule,
  },
  variant: toVariant(row),
  quantity,
  priceCents: row.priceCents,
  addedPriceCents: priceCents,
  isDeleted: row.variantDeletedAt !== null || row.productDeletedAt !== null,
  prescribed: row.productCategory === 'Rx' ? toPrescribed(row) : null,
})

function toPrescribed(row: OfferedRow): StoredCartLine['prescribed'] {
  const source = { product: { ...row, name: row.productName }, variant: row }
  return { medicine: toMedicine(source), unitsPerPack: unitsOf(source, 1) }
}

/** Creates or updates a line's quantity and price. An existing line keeps its position. */
export async function saveCartLine(
  db: Db,
  line: { cartId: string; variantId: string; quantity: number; priceCents: number; now: Date },
): Promise<void> {
  await db
    .insertInto('cartLines')
    .values({
      cartId: line.cartId,
      variantId: line.variantId,
      quantity: line.quantity,
      priceCents: line.priceCents,
      createdAt: line.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['cartId', 'variantId'])
        .doUpdateSet({ quantity: line.quantity, priceCents: line.priceCents }),
    )
    .execute()
}

/** Deletes lines of a cart. Ignores variants that are not in it. */
export async function deleteCartLines(db: Db, cartId: string, variantIds: readonly string[]): Promise<void> {
  if (variantIds.length === 0) return
  await db.deleteFrom('cartLines').where('cartId', '=', cartId).where('variantId', 'in', variantIds).execute()
}

/** The facts that decide whether a variant can be added to a cart; null when it is not on sale. */
export async function findOffer(
  db: Db,
  variantId: string,
): Promise<{
  priceCents: number | null
  inStock: boolean
  stockQuantity: number
  trackInventory: boolean
  controlledSchedule: string | null
} | null> {
  const row = await db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .select([
      'productVariants.priceCents',
      'productVariants.inStock',
      'productVariants.stockQuantity',
      'productVariants.trackInventory',
      'products.controlledSchedule',
    ])
    .where('productVariants.id', '=', variantId)
    .where('productVariants.deletedAt', 'is', null)
    .where('products.deletedAt', 'is', null)
    .executeTakeFirst()
  return row ?? null
}
