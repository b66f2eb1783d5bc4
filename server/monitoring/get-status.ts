import { findAuditCheck } from '#db/audit/audit-checks.ts'
import { getEngine, type Engine } from '#db/engine/client.ts'
import { getReplicaState } from '#db/engine/replica.ts'
import { findLastMigration } from '#db/engine/migrate.ts'
import { listQueues, type QueueState } from '#db/monitoring/queues.ts'
import { listRuns, type RunRow } from '#db/monitoring/runs.ts'
import type { ReplicaState } from '#domain/replica.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { listCareLists, type CareListView } from '../screening/list-care-lists.ts'
import { lacksSecondPharmacist } from '../second-checks/count-second-checks.ts'
import { isFailing } from './get-shop-gauges.ts'

/** A job or a command with its last runs. */
export type RunView = Omit<RunRow, 'kind'> & { isFailing: boolean }

/** A command that proves something, and what it last found; without runs before the first. */
export type VerificationView = { name: string; command: string; run: RunView | null }

export type ShopStatus = {
  queues: QueueState[]
  jobs: RunView[]
  verifications: VerificationView[]
  /** Each kind of backup that was recorded, such as `backup` and `base-backup`. */
  backups: RunView[]
  lists: Pick<CareListView, 'name' | 'title' | 'ageInDays' | 'isOutdated'>[]
  missingLists: string[]
  /** When the daily check of the audit log last ended; null before the first. */
  auditCheckedAt: Date | null
  /** The replica is null without one. */
  database: { engine: Engine; migration: string; replica: ReplicaState | null }
  node: string
  /** Whether the second check that the shop requires is impossible. */
  lacksPharmacist?: boolean
}

const verifications = [
  { name: 'audit', command: 'npm run audit:verify' },
  { name: 'stock', command: 'npm run stock:verify' },
  { name: 'fills', command: 'npm run fills:verify' },
  { name: 'restore', command: 'npm run backup:drill' },
] as const

/** What an operator looks at first. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function getStatus(ctx: Context): Promise<ShopStatus> {
  requirePermission(ctx, 'settings.write')
  const [queues, runs, check, { lists, missing }, migration, lacksPharmacist] = await Promise.all([
    listQueues(ctx.db, ctx.now),
    listRuns(ctx.db),
    findAuditCheck(ctx.db),
    listCareLists(ctx),
    findLastMigration(ctx.db),
    lacksSecondPharmacist(ctx),
  ])
  const views = runs.map((run) => ({ ...run, isFailing: isFailing(run) }))
  const ofKind = (kind: RunRow['kind']) => views.filter((run) => run.kind === kind)
  return {
    queues: queues.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    // What fails comes first.
    jobs: ofKind('job').toSorted((a, b) => Number(b.isFailing) - Number(a.isFailing)),
    verifications: verifications.map((one) => ({
      ...one,
      run: ofKind('verify').find(({ name }) => name === one.name) ?? null,
    })),
    backups: ofKind('backup'),
    lists,
    missingLists: missing,
    auditCheckedAt: check?.finishedAt ?? null,
    database: { engine: getEngine(ctx.db), migration, replica: getReplicaState(ctx.db) },
    node: process.versions.node,
    lacksPharmacist,
  }
}
