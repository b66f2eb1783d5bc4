import type { AuditAction } from '#domain/audit/audit.ts'

/** Who read or wrote whose data, and when; no values. Triggers refuse every change. */
export type AuditLogTable = {
  id: string
  /** Who did it; null for the shop itself and for somebody not signed in. */
  actorId: string | null
  /** Whose data it is. */
  subjectId: string
  action: AuditAction
  /** The prescription, file or address that it was about; null when it is the whole account. */
  objectId: string | null
  requestId: string
  at: Date
}

/** The log's rows in one order, each bound to all before it by its hash; written by one job. */
export type AuditChainTable = { seq: number; auditId: string; hash: string }

/** The log's rows that are not chained yet. */
export type AuditPendingTable = { auditId: string }
