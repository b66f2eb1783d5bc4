/** A read from the replica is at most this old. */
export const maxReplicaLagMs = 5000

/** Why a server that answers does not follow the primary, so that its data may differ. */
export type ReplicaMismatch =
  | 'not a replica of this database'
  | 'follows another timeline'
  | 'ahead of the primary'

/** Why reads go to the primary. */
export type ReplicaProblem = 'late' | 'lost' | ReplicaMismatch

export type ReplicaState = {
  /** Null while reads go to the replica. */
  problem: ReplicaProblem | null
  /** At most how far behind it is, in seconds; null before it was reached. */
  lagSeconds: number | null
  /** Reads that failed on the replica and ran on the primary. */
  fallbacks: number
}
