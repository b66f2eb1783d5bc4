import { z } from 'zod'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

const detailSchema = z
  .object({
    userAgent: z.string().nullable(),
    address: z.string(),
    reason: z.string(),
    rolesBefore: z.string(),
    rolesAfter: z.string(),
  })
  .partial()

/** What an account event adds to its audit row: a device, an admin's reason, or the roles. */
export type EventDetail = z.infer<typeof detailSchema>

export const sealEventDetail = (key: KeyRing, auditId: string, detail: EventDetail): string =>
  seal(key, bindings.auditDetail(auditId), JSON.stringify(detail))

export const openEventDetail = (key: KeyRing, auditId: string, sealed: string): EventDetail =>
  detailSchema.parse(JSON.parse(unseal(key, bindings.auditDetail(auditId), sealed)))
