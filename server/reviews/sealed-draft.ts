import { z } from 'zod'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

const fieldsSchema = z.record(z.string(), z.string())

type DraftKey = { caseId: string; userId: string }

/** A draft's row: one case and pharmacist. */
const rowOf = ({ caseId, userId }: DraftKey): string => `${caseId}:${userId}`

/** @param key the patient's key: what a pharmacist types of a prescription is the patient's data */
export const sealDraft = (key: KeyRing, draft: DraftKey, fields: Record<string, string>): string =>
  seal(key, bindings.caseDraft(rowOf(draft)), JSON.stringify(fields))

export const openDraft = (key: KeyRing, draft: DraftKey & { sealedDraft: string }): Record<string, string> =>
  fieldsSchema.parse(JSON.parse(unseal(key, bindings.caseDraft(rowOf(draft)), draft.sealedDraft)))
