import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

const placeOf = (id: string) => ({ table: 'order_notes', column: 'sealed_note', row: id })

/** @param keys the shop's, as those of the order that it is about */
export const sealNote = (keys: KeyRing, id: string, text: string): string => seal(keys, placeOf(id), text)

export const openNote = (keys: KeyRing, { id, sealedNote }: { id: string; sealedNote: string }): string =>
  unseal(keys, placeOf(id), sealedNote)
