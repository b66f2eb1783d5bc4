import type { KeyRing } from '../crypto/key-ring.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal, unseal } from '../crypto/sealing.ts'

/** @param keys the shop's keys, like those of the order */
export const sealNote = (keys: KeyRing, id: string, text: string): string =>
  seal(keys, bindings.orderNote(id), text)

export const openNote = (keys: KeyRing, { id, sealedNote }: { id: string; sealedNote: string }): string =>
  unseal(keys, bindings.orderNote(id), sealedNote)
