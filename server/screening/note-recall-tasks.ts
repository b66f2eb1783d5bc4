import type { Db } from '#db/engine/client.ts'
import { insertRecallTasks, listRecalls } from '#db/screening/recalls.ts'
import { compareRecalls } from '#domain/screening/recall.ts'

/**
 * Runs a change of a list, in its transaction, and notes which recalls are new or say something
 * else now: `processRecalls` applies their effects, also after a crash.
 */
export async function noteRecallTasks(
  db: Db,
  { list, now }: { list: string; now: Date },
  change: () => Promise<void>,
): Promise<void> {
  if (!list.startsWith('recalls')) return change()
  const before = await listRecalls(db, { list })
  await change()
  const { added, changed } = compareRecalls(before, await listRecalls(db, { list }))
  await insertRecallTasks(db, [...added, ...changed], now)
}
