import type { AuditAction } from '#domain/audit/audit.ts'

/** Who read or wrote whose data, and when, without values. Triggers reject every change. */
export type AuditLogTable = {
  id: string
  /** Null for the shop itself and for a visitor who is not signed in. */
  actorId: string | null
  /** The user whose data it is, `shop`, or `address:` and the blind index of an unknown address. */
  subjectId: string
  action: AuditAction
  /**
   * The prescription, file, address or session; null when the row concerns the whole account. For a
   * refused attempt, its number in the current window. For an explained break of the stock ledger,
   * the row and a keyed hash.
   */
  objectId: string | null
  requestId: string
  at: Date
}

/** What an account event adds to its audit row. Deleted with the user; triggers reject changes. */
export type AuditDetailsTable = {
  auditId: string
  /** Null for an address without an account. */
  userId: string | null
  /** The device, the network address or the reason as JSON, sealed for the user. */
  sealedDetail: string | null
  /** The masked network of an attempt on an address without an account. */
  network: string | null
}

/** The log's rows in one order. Each hash covers all rows before it. Written by one job. */
export type AuditChainTable = {
  seq: number
  auditId: string
  hash: string
  /** Whether the hash needs the shop's key. Links of earlier versions of the shop do not. */
  keyed: boolean
}

/** The last daily verification of the chain; one row. */
export type AuditChecksTable = {
  id: string
  startedAt: Date
  /** Null while it runs, and when its process died. */
  finishedAt: Date | null
  findings: number | null
  /** The end of the chain as `seq:hash`; null when it is empty. */
  head: string | null
}

/** Rows of the log that the job has not chained yet. */
export type AuditPendingTable = { auditId: string }
