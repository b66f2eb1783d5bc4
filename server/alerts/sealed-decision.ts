import type { AlertDecisionRow } from '#db/alerts/alert-decisions.ts'
import type { AlertDecision } from '#domain/alerts/alert-decision.ts'
import { alertDecisionSchema } from '#domain/alerts/alert-decision-schema.ts'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

/** @param key of the customer whom the decision is about */
export const sealAlertDecision = (key: KeyRing, id: string, decision: AlertDecision): string =>
  seal(key, bindings.alertDecision(id), JSON.stringify(alertDecisionSchema.parse(decision)))

export const openAlertDecision = (
  key: KeyRing,
  { id, sealedDecision }: Pick<AlertDecisionRow, 'id' | 'sealedDecision'>,
): AlertDecision =>
  alertDecisionSchema.parse(JSON.parse(unseal(key, bindings.alertDecision(id), sealedDecision)))
