import { readPageVersions } from '#db/catalog/page-versions.ts'
import type { Db } from '#db/engine/client.ts'
import { endOfTurn } from '#db/engine/end-of-turn.ts'
import { shareNext } from '#db/engine/share-next.ts'

export type PageVersions = Awaited<ReturnType<typeof readPageVersions>>

/**
 * Reads the versions of what kept pages and replies of the API show. Callers of one turn of the
 * event loop, and those that arrive while a read is under way, share the next read: it starts after
 * all of them, so none learns less than a read of its own says.
 */
export function sharedPageVersions(db: Db): () => Promise<PageVersions> {
  const read = shareNext(() => readPageVersions(db))
  let turn: Promise<PageVersions> | null = null
  const endTurn = async (): Promise<PageVersions> => {
    // Then the requests that have arrived are with their handlers.
    await endOfTurn()
    turn = null
    return read()
  }
  return () => (turn ??= endTurn())
}
