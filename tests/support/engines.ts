import type { Db, Engine } from '#db/engine/client.ts'
import { afterAll, describe, inject } from 'vitest'
import { engines, freshDatabase, openTestDatabase, type Content, type Templates } from './databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    templates: Templates
  }
}

/** Gives a migrated database of one's own, empty unless it shall hold the demo catalogue, closed and dropped after the engine's block. */
export type OpenDb = (content?: Content) => Promise<Db>

/** The same with its url, for a test that starts a process of its own on it, and with a second door to it. */
export type OpenWithUrl = (content?: Content) => Promise<{ db: Db; url: string; openAgain: () => Db }>

/**
 * Describes the same promises once an engine. This is the only way for a test to get a database, so none can run on
 * one engine and forget the other.
 */
export function eachEngine(
  promises: (engine: Engine, openDb: OpenDb, openWithUrl: OpenWithUrl) => void,
): void {
  describe.each(engines)('on %s', (engine) => {
    const cleanups: (() => Promise<void>)[] = []
    afterAll(async () => {
      for (const cleanup of cleanups.toReversed()) await cleanup()
    })
    const openWithUrl: OpenWithUrl = async (content) => {
      const database = await freshDatabase(inject('templates'), engine, content)
      cleanups.push(database.remove)
      const openAgain = (): Db => {
        const db = openTestDatabase(database.url)
        cleanups.push(() => db.destroy())
        return db
      }
      return { db: openAgain(), url: database.url, openAgain }
    }
    promises(engine, async (content) => (await openWithUrl(content)).db, openWithUrl)
  })
}
