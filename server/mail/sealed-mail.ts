import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'
import { mailSchema, type Mail } from '../integrations/mail/mail-message.ts'

export const sealMail = (keys: KeyRing, id: string, mail: Mail): string =>
  seal(keys, bindings.mail(id), JSON.stringify(mail))

/** Decrypts a mail. Throws when the row was not sealed with one of these keys. */
export const unsealMail = (keys: KeyRing, id: string, sealedMail: string): Mail =>
  mailSchema.parse(JSON.parse(unseal(keys, bindings.mail(id), sealedMail)))
