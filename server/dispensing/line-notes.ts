import type { LineReviewRow } from '#db/dispensing/line-reviews.ts'
import type { DecisionNote } from '#domain/dispensing/clearance.ts'
import type { LineDecision } from '#domain/dispensing/prescription-item.ts'
import type { Context } from '../context.ts'
import { openDecision, sealDecision } from './sealed-item.ts'

/** A line's decision with these notes added, sealed. The notes name the pharmacist by id. */
export function addNotes(
  ctx: Pick<Context, 'keys' | 'now'>,
  review: Pick<LineReviewRow, 'lineId' | 'sealedDecision'>,
  by: string,
  { notes = [], ...changes }: { notes?: readonly DecisionNote[] } & Partial<Pick<LineDecision, 'reason'>>,
): string {
  const decision = openDecision(ctx.keys, review)
  const at = ctx.now.toISOString()
  return sealDecision(ctx.keys, review.lineId, {
    ...decision,
    ...changes,
    notes: [...decision.notes, ...notes.map((note) => ({ ...note, by, at }))],
  })
}
