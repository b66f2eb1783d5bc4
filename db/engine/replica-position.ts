import type { ReplicaMismatch } from '#domain/replica.ts'
import { sql } from 'kysely'
import type { Db } from './client.ts'
import { parseLogPosition } from './replica-lag.ts'

/** Which history a server has, and how far. Any role may read it. */
export type LogPosition = {
  /** Of the cluster: a copy keeps it. */
  systemId: string
  database: string
  /** In hexadecimal, as in the names of the log's files. */
  timeline: string
  position: bigint
}

type Row = { id: string; database: string; timeline: string; position: string }
const toLogPosition = ({ id, database, timeline, position }: Row): LogPosition => ({
  systemId: id,
  database,
  timeline,
  position: parseLogPosition(position),
})

/** How far the primary has written its log. Rejects while it is in recovery. */
export async function readPrimaryPosition(primary: Db): Promise<LogPosition> {
  const { rows } = await sql<Row>`
    select system_identifier::text as id, current_database() as database,
      left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline,
      pg_current_wal_flush_lsn()::text as position
    from pg_control_system()`.execute(primary)
  if (!rows[0]) throw new Error('The primary has no position in its log.')
  return toLogPosition(rows[0])
}

/**
 * How far a replica has replayed the log; null when it is none, or was promoted. The timeline is of
 * what it has written to its disk: after a switch, the earlier one until its next restartpoint.
 */
export async function readReplicaPosition(replica: Db): Promise<LogPosition | null> {
  const { rows } = await sql<Row>`
    select system_identifier::text as id, current_database() as database,
      lpad(upper(to_hex(greatest(timeline_id, min_recovery_end_timeline))), 8, '0') as timeline,
      pg_last_wal_replay_lsn()::text as position
    from pg_control_system(), pg_control_checkpoint(), pg_control_recovery()
    where pg_is_in_recovery()`.execute(replica)
  return rows[0] ? toLogPosition(rows[0]) : null
}

/**
 * Why the replica does not follow the primary; null when it does. Positions mean the same only in
 * one cluster and on one timeline: a recovery to a point in time and a promotion begin a new one.
 * @param primary read after the replica: no replica has what its primary has not written
 */
export function findMismatch(primary: LogPosition, replica: LogPosition): ReplicaMismatch | null {
  if (replica.systemId !== primary.systemId || replica.database !== primary.database)
    return 'not a replica of this database'
  if (replica.timeline !== primary.timeline) return 'follows another timeline'
  return replica.position > primary.position ? 'ahead of the primary' : null
}
