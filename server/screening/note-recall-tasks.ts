import type { Db } from '#db/engine/client.ts'
import { insertRecallTasks, listRecalls } from '#db/screening/recalls.ts'
import { compareRecalls } from '#domain/screening/recall.ts'

/**
 * Runs a change of a list in its transaction, and notes which recalls are new or have changed:
 * their effects are then applied, even after a crash. Returns their ids.
 * @param ids the only recalls that it may change, when they are known
 */
export async function noteRecallTasks(
  db: Db,
  { list, ids: named, now }: { list: string; ids?: readonly string[]; now: Date },
  change: () => Promise<void>,
): Promise<string[]> {
  if (!list.startsWith('recalls')) {
    await change()
    return []
  }
  const filter = named ? { ids: named } : { list }
  const before = await listRecalls(db, filter)
  await change()
  const { added, changed } = compareRecalls(before, await listRecalls(db, filter))
  const ids = [...added, ...changed]
  await insertRecallTasks(db, ids, now)
  return ids
}
