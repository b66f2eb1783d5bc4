import type { Db } from '#db/engine/client.ts'
import { insertRecallTasks, listRecalls } from '#db/screening/recalls.ts'
import { compareRecalls } from '#domain/screening/recall.ts'

/**
 * Runs a change of a list, in its transaction, and notes which recalls are new or say something
 * else now: their effects are then applied, also
 * after a crash. Returns their ids.
 */
export async function noteRecallTasks(
  db: Db,
  { list, now }: { list: string; now: Date },
  change: () => Promise<void>,
): Promise<string[]> {
  if (!list.startsWith('recalls')) {
    await change()
    return []
  }
  const before = await listRecalls(db, { list })
  await change()
  const { added, changed } = compareRecalls(before, await listRecalls(db, { list }))
  const ids = [...added, ...changed]
  await insertRecallTasks(db, ids, now)
  return ids
}
