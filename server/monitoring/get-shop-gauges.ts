import { findAuditCheck } from '#db/audit/audit-checks.ts'
import { getEngine, type Db, type Engine } from '#db/engine/client.ts'
import { findLastMigration } from '#db/engine/migrate.ts'
import { listPartitionEnds, type PartitionEnd } from '#db/monitoring/partitions.ts'
import { listQueues, type QueueState } from '#db/monitoring/queues.ts'
import { listRuns, type RunRow } from '#db/monitoring/runs.ts'
import { listCareLists } from '#db/screening/care-lists.ts'

/** What the database says of the shop's state, without persons and products. */
export type ShopGauges = {
  queues: (QueueState & { oldestSeconds: number; retriedSeconds: number })[]
  runs: (Pick<RunRow, 'kind' | 'name' | 'succeededAt'> & { isFailing: boolean })[]
  lists: { name: string; date: Date }[]
  audit: { pendingSeconds: number; findings: number | null }
  partitions: PartitionEnd[]
  build: { version: string; engine: Engine; migration: string; node: string }
}

/** Whether the last run of a job or a command failed. */
export const isFailing = ({ succeededAt, failedAt }: Pick<RunRow, 'succeededAt' | 'failedAt'>): boolean =>
  failedAt !== null && (succeededAt === null || failedAt > succeededAt)

const secondsSince = (date: Date | null, now: Date): number =>
  date ? Math.max(0, (now.getTime() - date.getTime()) / 1000) : 0

export async function getShopGauges(
  db: Db,
  { now, version }: { now: Date; version: string },
): Promise<ShopGauges> {
  // One connection for all statements: where the pool is busy, the reading waits once, and not so
  // long that the metrics report the database as down.
  const { queues, runs, lists, check, migration, partitions } = await db
    .connection()
    .execute(async (one) => ({
      queues: await listQueues(one, now),
      runs: await listRuns(one),
      lists: await listCareLists(one),
      check: await findAuditCheck(one),
      migration: await findLastMigration(one),
      partitions: await listPartitionEnds(one, now),
    }))
  const pending = queues.find(({ name }) => name === 'audit_chain')
  return {
    queues: queues.map((queue) => ({
      ...queue,
      oldestSeconds: secondsSince(queue.oldest, now),
      retriedSeconds: secondsSince(queue.retriedSince, now),
    })),
    runs: runs.map((run) => ({ ...run, isFailing: isFailing(run) })),
    // As ageInDays, which the back office shows: a list without a date counts from its import.
    lists: lists.map(({ name, listDate, importedAt }) => ({
      name,
      date: listDate === null ? importedAt : new Date(listDate),
    })),
    audit: { pendingSeconds: secondsSince(pending?.oldest ?? null, now), findings: check?.findings ?? null },
    partitions,
    build: { version, engine: getEngine(db), migration, node: process.versions.node },
  }
}
