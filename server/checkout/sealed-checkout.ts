import { frozenSchema, type Frozen } from '#domain/checkout/checkout.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal, unseal } from '../crypto/sealing.ts'

/**
 * @param keys the shop's keys: a paid checkout must be settled even when the customer was deleted
 */
export const sealFrozen = (keys: KeyRing, id: string, frozen: Frozen): string =>
  seal(keys, bindings.checkout(id), JSON.stringify(frozen))

/** Decrypts the content of a checkout. Throws when it was not sealed with one of these keys. */
export const openFrozen = (
  keys: KeyRing,
  { id, sealedFrozen }: { id: string; sealedFrozen: string },
): Frozen => frozenSchema.parse(JSON.parse(unseal(keys, bindings.checkout(id), sealedFrozen)))
