import type { AuditRow } from '#db/audit/audit.ts'
import { increasingIdsOfTime } from '#domain/ids.ts'

const minuteMs = 60_000

/** Rows of the audit log in this order, a minute apart; the last is a minute before `end`. */
export const onePerMinute = (
  end: Date,
  rows: readonly Pick<AuditRow, 'actorId' | 'subjectId' | 'action'>[],
): AuditRow[] =>
  rows.map((row, index) => {
    const at = new Date(end.getTime() - (rows.length - index) * minuteMs)
    return { ...row, id: increasingIdsOfTime(at.getTime())(), objectId: null, requestId: 'a-test', at }
  })
