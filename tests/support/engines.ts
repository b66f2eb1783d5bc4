import type { Db, Engine } from '#db/engine/client.ts'
import { afterAll, describe, inject } from 'vitest'
import { engines, freshDatabase, openTestDatabase, type Content, type Templates } from './databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    templates: Templates
  }
}

/**
 * Opens a new migrated database, by default an empty one. It is closed and dropped after the
 * engine's block.
 */
export type OpenDb = (content?: Content) => Promise<Db>

/**
 * Also returns the URL, for a test that starts its own process, and a function that opens the
 * database again.
 */
export type OpenWithUrl = (content?: Content) => Promise<{ db: Db; url: string; openAgain: () => Db }>

/**
 * Defines the same tests for each engine. A test can get a database only from here, so every
 * database test runs on both engines.
 */
export function eachEngine(
  defineTests: (engine: Engine, openDb: OpenDb, openWithUrl: OpenWithUrl) => void,
): void {
  for (const engine of engines) {
    onEngine(engine, (openDb, openWithUrl) => defineTests(engine, openDb, openWithUrl))
  }
}

/** Defines tests of what only one engine has, such as SQLite's file. */
export function onEngine(
  engine: Engine,
  defineTests: (openDb: OpenDb, openWithUrl: OpenWithUrl) => void,
): void {
  describe(`on ${engine}`, () => {
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
    defineTests(async (content) => (await openWithUrl(content)).db, openWithUrl)
  })
}
