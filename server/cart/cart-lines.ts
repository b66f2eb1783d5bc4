import {
  deleteAccountLines,
  findAccountCart,
  saveAccountLine,
  type AccountCartRow,
} from '#db/cart/account-carts.ts'
import {
  deleteCartLines,
  listCartItems,
  listCartLines,
  listLinesOf,
  saveCartLine,
  type CartItem,
  type StoredCartLine,
} from '#db/cart/carts.ts'
import type { Db } from '#db/engine/client.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing, ShopKeys } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'
import { blindIndex } from '../crypto/tokens.ts'
import { unwrapUserKey } from '../crypto/user-key.ts'

/** A visitor's cart, or an account's: its lines are sealed for the user. */
export type Cart = { cartId: string } | { userId: string }

type Reader = Pick<Context, 'db' | 'keys'>

/** What a sealed line contains; `at` is when it was added, in Unix milliseconds. */
const accountLineSchema = z.object({
  variantId: z.string(),
  quantity: z.int(),
  priceCents: z.int(),
  at: z.int(),
  /** Whom the order was for that the customer ordered again, and when they did. */
  again: z.object({ patientId: z.string(), at: z.int() }).optional(),
})
export type AccountCartLine = z.output<typeof accountLineSchema>

/** The cart's lines in the order they were added, with current prices and stock. */
export async function listLines(ctx: Reader, cart: Cart): Promise<StoredCartLine[]> {
  if ('cartId' in cart) return listCartLines(ctx.db, cart.cartId)
  return listLinesOf(ctx.db, await listAccountItems(ctx, cart.userId))
}

/** The stored lines of an account's cart in the order they were added. */
export const listAccountItems = async (ctx: Reader, userId: string): Promise<AccountCartLine[]> =>
  (await openAccountCart(ctx, userId)).items

/** The key is null when it was destroyed: the account was deleted in another tab. */
async function openAccountCart(
  ctx: Reader,
  userId: string,
): Promise<{ key: KeyRing | null; items: AccountCartLine[] }> {
  const found = await findAccountCart(ctx.db, userId)
  if (!found) return { key: null, items: [] }
  const key = unwrapUserKey(ctx, userId, found.wrappedKey)
  const items = found.rows
    .map((row) => openLine(key, row))
    .toSorted((a, b) => a.at - b.at || (a.variantId < b.variantId ? -1 : 1))
  return { key, items }
}

/** A cart's stored lines in the order they were added, and the way to change them. */
export type OpenCart = {
  items: readonly CartItem[]
  /**
   * Creates or updates a line's quantity and price. An existing line keeps its position, a new one
   * gets that of its time, by default now.
   * @param patientId whom the order was for that the customer orders again
   */
  save: (item: CartItem, addedAt?: Date, patientId?: string) => Promise<void>
}

/** Reads a cart that this transaction has locked, to change it. */
export async function openLines(ctx: Pick<Context, 'db' | 'keys' | 'now'>, cart: Cart): Promise<OpenCart> {
  const { db, keys } = ctx
  if ('cartId' in cart) {
    const { cartId } = cart
    return {
      items: await listCartItems(db, cartId),
      save: (item, now = ctx.now) => saveCartLine(db, { cartId, ...item, now }),
    }
  }
  const { userId } = cart
  const { key, items } = await openAccountCart(ctx, userId)
  return {
    items,
    save: async ({ variantId, quantity, priceCents }, now = ctx.now, patientId) => {
      if (!key) return
      const existing = items.find((item) => item.variantId === variantId)
      const again = patientId === undefined ? existing?.again : { patientId, at: ctx.now.getTime() }
      const line = { variantId, quantity, priceCents, at: existing?.at ?? now.getTime(), again }
      await saveAccountLine(db, sealLine(keys, key, userId, line))
    },
  }
}

/** Deletes lines of a cart. Ignores variants that are not in it. */
export async function deleteLines(
  { db, keys }: { db: Db; keys: ShopKeys },
  cart: Cart,
  variantIds: readonly string[],
): Promise<void> {
  if ('cartId' in cart) return deleteCartLines(db, cart.cartId, variantIds)
  const { userId } = cart
  await deleteAccountLines(db, { userId, lineHashes: variantIds.map((id) => hashLine(keys, userId, id)) })
}

/** Seals a line for its user. */
export function sealLine(
  keys: ShopKeys,
  key: KeyRing,
  userId: string,
  line: AccountCartLine,
): AccountCartRow {
  const lineHash = hashLine(keys, userId, line.variantId)
  return { userId, lineHash, sealedLine: seal(key, bindings.accountCartLine(lineHash), JSON.stringify(line)) }
}

const openLine = (key: KeyRing, { lineHash, sealedLine }: AccountCartRow): AccountCartLine =>
  accountLineSchema.parse(JSON.parse(unseal(key, bindings.accountCartLine(lineHash), sealedLine)))

/** Finds a line without naming its variant. It differs between users. */
const hashLine = (keys: ShopKeys, userId: string, variantId: string): string =>
  blindIndex(keys, 'cart-line', JSON.stringify([userId, variantId]))
