import type { Db } from '#db/engine/client.ts'
import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely'

/**
 * Runs `work` on Postgres and then explains its statements, each with the rows that its steps read.
 * Returns a plan for each.
 */
export async function explainPostgres(db: Db, work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const nodes: RootOperationNode[] = []
  const collector: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await work(db.withPlugin(collector))
  return Promise.all(nodes.map((node) => explain(db, node)))
}

async function explain(db: Db, node: RootOperationNode): Promise<string> {
  const { sql, parameters } = db.getExecutor().compileQuery(node, { queryId: 'explained' })
  const explained = CompiledQuery.raw(`explain (analyze, timing off, costs off) ${sql}`, [...parameters])
  const { rows } = await db.executeQuery<Record<string, string>>(explained)
  return rows.flatMap((row) => Object.values(row)).join('\n')
}

/** The largest number of rows that a step of the plan returned or left out, in all its loops. */
export function mostRows(plan: string): number {
  let loops = 1
  let most = 0
  for (const line of plan.split('\n')) {
    loops = Number(/ loops=(\d+)/.exec(line)?.[1] ?? loops)
    const rows = /\(actual rows=([\d.]+)|Rows Removed by .*: (\d+)/.exec(line)
    most = Math.max(most, Number(rows?.[1] ?? rows?.[2] ?? 0) * loops)
  }
  return most
}
