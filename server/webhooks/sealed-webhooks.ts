import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

export const sealSecret = (keys: KeyRing, endpointId: string, secret: string): string =>
  seal(keys, bindings.webhookSecret(endpointId), secret)

export const unsealSecret = (keys: KeyRing, endpointId: string, sealed: string): string =>
  unseal(keys, bindings.webhookSecret(endpointId), sealed)

export const sealPayload = (keys: KeyRing, deliveryId: string, body: string): string =>
  seal(keys, bindings.webhookPayload(deliveryId), body)

export const unsealPayload = (keys: KeyRing, deliveryId: string, sealed: string): string =>
  unseal(keys, bindings.webhookPayload(deliveryId), sealed)
