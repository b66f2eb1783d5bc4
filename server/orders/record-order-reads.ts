import { recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'

/** Records reads of many customers' orders in batches: one `orders.read` per customer in all. */
export function orderReadRecorder(
  ctx: Context,
): (rows: readonly { userId: string | null }[]) => Promise<void> {
  const recordedIds = new Set<string>()
  return async (rows) => {
    const newIds = new Set(rows.flatMap(({ userId }) => userId ?? []).filter((id) => !recordedIds.has(id)))
    await recordReads(ctx, { action: 'orders.read', subjectIds: [...newIds] })
    for (const id of newIds) recordedIds.add(id)
  }
}
