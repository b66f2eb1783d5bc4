import type { Db, Engine } from '#db/client.ts'
import { afterAll, describe, inject } from 'vitest'
import { engines, freshDatabase, openTestDatabase, type Templates } from './databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    templates: Templates
  }
}

/** Gives a migrated, empty database of one's own, closed and dropped after the engine's block. */
export type OpenDb = () => Promise<Db>

/**
 * Describes the same promises once an engine. This is the only way for a test to get a database, so none can run on
 * one engine and forget the other.
 */
export function eachEngine(promises: (engine: Engine, openDb: OpenDb) => void): void {
  describe.each(engines)('on %s', (engine) => {
    const cleanups: (() => Promise<void>)[] = []
    afterAll(async () => {
      for (const cleanup of cleanups.toReversed()) await cleanup()
    })
    promises(engine, async () => {
      const database = await freshDatabase(inject('templates'), engine)
      cleanups.push(database.remove)
      const db = openTestDatabase(database.url)
      cleanups.push(() => db.destroy())
      return db
    })
  })
}
