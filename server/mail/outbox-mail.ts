import { z } from 'zod'
import type { KeyRing } from '../key-ring.ts'
import { seal, unseal } from '../sealing.ts'

const party = z.object({ name: z.string().optional(), address: z.string() })

const mailSchema = z.object({
  to: party,
  replyTo: party.optional(),
  subject: z.string(),
  text: z.string(),
})

/** A mail as use cases write it: plain text, to one person. */
export type Mail = z.infer<typeof mailSchema>

const placeOf = (id: string) => ({ table: 'outbox', column: 'sealed_mail', row: id })

export const sealMail = (keys: KeyRing, id: string, mail: Mail): string =>
  seal(keys, placeOf(id), JSON.stringify(mail))

/** Throws when the row was not sealed with one of these keys. */
export const unsealMail = (keys: KeyRing, id: string, sealedMail: string): Mail =>
  mailSchema.parse(JSON.parse(unseal(keys, placeOf(id), sealedMail)))
