import type { AuditAction } from '#domain/audit/audit.ts'

/** Who read or wrote whose data, and when, without values. Triggers reject every change. */
export type AuditLogTable = {
  id: string
  /** Null for the shop itself and for a visitor who is not signed in. */
  actorId: string | null
  /** The user whose data it is. */
  subjectId: string
  action: AuditAction
  /** The prescription, file or address; null when the row concerns the whole account. */
  objectId: string | null
  requestId: string
  at: Date
}

/** The log's rows in one order. Each hash covers all rows before it. Written by one job. */
export type AuditChainTable = { seq: number; auditId: string; hash: string }

/** Rows of the log that the job has not chained yet. */
export type AuditPendingTable = { auditId: string }
