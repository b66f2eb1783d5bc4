import type { MessageRow } from '#db/messages/messages.ts'
import type { Message } from '#domain/messages/messages.ts'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

/** @param key the customer's key */
export const sealMessage = (key: KeyRing, id: string, text: string): string =>
  seal(key, bindings.message(id), text)

/** Decrypts a message. Throws when the row was not sealed with this customer's key. */
export const openMessage = (key: KeyRing, row: MessageRow): Message => ({
  id: row.id,
  from: row.sender,
  text: unseal(key, bindings.message(row.id), row.sealedText),
  at: row.createdAt.toISOString(),
})
