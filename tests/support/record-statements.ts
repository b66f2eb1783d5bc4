import type { Db } from '#db/engine/client.ts'
import type { KyselyPlugin } from 'kysely'

/** Records the kinds of the statements that run on this database. */
export function recordStatements(db: Db): { db: Db; statements: string[] } {
  const statements: string[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { db: db.withPlugin(plugin), statements }
}
