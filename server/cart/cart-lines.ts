import {
  deleteAccountLines,
  listAccountLines,
  saveAccountLine,
  type AccountCartRow,
} from '#db/cart/account-carts.ts'
import {
  deleteCartLines,
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
import { openUserKey } from '../crypto/user-key.ts'

/** A visitor's cart, or an account's: its lines are sealed for the user. */
export type Cart = { cartId: string } | { userId: string }

type Reader = Pick<Context, 'db' | 'keys'>

/** What a sealed line contains; `at` is when it was added, in Unix milliseconds. */
const accountLineSchema = z.object({
  variantId: z.string(),
  quantity: z.int(),
  priceCents: z.int(),
  at: z.int(),
})
export type AccountCartLine = z.output<typeof accountLineSchema>

/** The cart's lines in the order they were added, with current prices and stock. */
export async function listLines(ctx: Reader, cart: Cart): Promise<StoredCartLine[]> {
  if ('cartId' in cart) return listCartLines(ctx.db, cart.cartId)
  return listLinesOf(ctx.db, await listAccountItems(ctx, cart.userId))
}

/** The stored lines of an account's cart in the order they were added. */
export async function listAccountItems(ctx: Reader, userId: string): Promise<AccountCartLine[]> {
  const rows = await listAccountLines(ctx.db, userId)
  const key = rows.length > 0 ? await openUserKey(ctx, userId) : null
  if (!key) return []
  return rows
    .map((row) => openLine(key, row))
    .toSorted((a, b) => a.at - b.at || (a.variantId < b.variantId ? -1 : 1))
}

/** Creates or updates a line's quantity and price. An existing line keeps its position. */
export async function saveLine(
  ctx: Pick<Context, 'db' | 'keys' | 'now'>,
  cart: Cart,
  item: CartItem,
): Promise<void> {
  const { db, keys, now } = ctx
  if ('cartId' in cart) return saveCartLine(db, { cartId: cart.cartId, ...item, now })
  const key = await openUserKey(ctx, cart.userId)
  // The account was deleted in another tab.
  if (!key) return
  const existing = (await listAccountItems(ctx, cart.userId)).find(
    ({ variantId }) => variantId === item.variantId,
  )
  const { variantId, quantity, priceCents } = item
  const line = { variantId, quantity, priceCents, at: existing?.at ?? now.getTime() }
  await saveAccountLine(db, sealLine(keys, key, cart.userId, line))
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
