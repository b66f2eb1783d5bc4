import { readPageVersions } from '#db/catalog/page-versions.ts'
import type { Db } from '#db/engine/client.ts'

export type PageVersions = Awaited<ReturnType<typeof readPageVersions>>

/**
 * Reads the versions of what pages for visitors show. Callers that arrive while a read is under way
 * share the next one: it starts after all of them, so none learns less than a read of its own says.
 */
export function sharedPageVersions(db: Db): () => Promise<PageVersions> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<PageVersions> | null = null
  const start = (): Promise<PageVersions> => {
    next = null
    const read = readPageVersions(db)
    running = read
    return read
  }
  return () => (next ??= running.then(start, start))
}
