import type { RowReportStatus } from '#domain/screening/row-report-labels.ts'
import type { InteractionLevel } from './care-lists.ts'

/** A row of an interaction list that a pharmacist marked as wrong. Names no patient. */
export type ScreeningRowReportsTable = {
  id: string
  rowId: string
  list: 'ndfrt' | 'label'
  subject: string
  object: string
  /** What the row said. */
  level: InteractionLevel
  sentence: string | null
  reason: string
  status: RowReportStatus
  reportedBy: string
  reportedAt: Date
  reviewedBy: string | null
  reviewedAt: Date | null
  reviewNote: string | null
}
