import { checkoutContentSchema, type CheckoutContent, type FrozenLine } from '#domain/checkout/checkout.ts'
import type { KeyRing, ShopKeys } from '../crypto/key-ring.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal, unseal } from '../crypto/sealing.ts'
import { blindIndex } from '../crypto/tokens.ts'

/**
 * @param keys the shop's keys: a paid checkout must be settled even when the customer was deleted
 */
export const sealCheckout = (keys: KeyRing, id: string, content: CheckoutContent): string =>
  seal(keys, bindings.checkout(id), JSON.stringify(content))

/** Decrypts the content of a checkout. Throws when it was not sealed with one of these keys. */
export const openCheckout = (
  keys: KeyRing,
  { id, sealedFrozen }: { id: string; sealedFrozen: string },
): CheckoutContent =>
  checkoutContentSchema.parse(JSON.parse(unseal(keys, bindings.checkout(id), sealedFrozen)))

/** The lines alone, also of a checkout from before migration 0027, which names no customer. */
export const openCheckoutLines = (
  keys: KeyRing,
  { id, sealedFrozen }: { id: string; sealedFrozen: string },
): FrozenLine[] =>
  checkoutContentSchema
    .pick({ lines: true })
    .parse(JSON.parse(unseal(keys, bindings.checkout(id), sealedFrozen))).lines

/** Finds a customer's checkouts without naming the customer. */
export const hashCustomer = (keys: Pick<ShopKeys, 'indexKey'>, userId: string): string =>
  blindIndex(keys, 'checkout-user', userId)
