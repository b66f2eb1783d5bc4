import { insertAlertDecision, listAlertDecisions } from '#db/alerts/alert-decisions.ts'
import type { AlertDecision, RecordedDecision } from '#domain/alerts/alert-decision.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { countEvent } from '../metrics.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openAlertDecision, sealAlertDecision } from './sealed-decision.ts'

/**
 * What pharmacists decided on the alerts of a customer and the people they care for, the oldest
 * first; `by` is a user's id. Unrecorded: the caller writes the audit row.
 */
export async function readAlertDecisions(
  ctx: Pick<Context, 'db'>,
  key: KeyRing,
  userId: string,
): Promise<RecordedDecision[]> {
  const rows = await listAlertDecisions(ctx.db, userId)
  return rows.map((row) => ({
    ...openAlertDecision(key, row),
    lineId: row.lineId,
    by: row.decidedBy,
    at: row.decidedAt.toISOString(),
  }))
}

/** Stores a decision. An earlier one on the same alert is kept. */
export async function storeAlertDecision(
  ctx: Pick<Context, 'db' | 'now' | 'metrics'>,
  key: KeyRing,
  { userId, lineId, by, decision }: { userId: string; lineId: string; by: string; decision: AlertDecision },
): Promise<void> {
  countEvent(ctx, 'alert_decisions')
  const id = newId(ctx.now.getTime())
  await insertAlertDecision(ctx.db, {
    id,
    userId,
    lineId,
    sealedDecision: sealAlertDecision(key, id, decision),
    decidedBy: by,
    decidedAt: ctx.now,
  })
}
