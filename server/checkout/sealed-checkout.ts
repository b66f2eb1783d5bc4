import { checkoutContentSchema, type CheckoutContent } from '#domain/checkout/checkout.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal, unseal } from '../crypto/sealing.ts'

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
