import type { AuditRow } from '#db/audit/audit.ts'
import { createHash } from 'node:crypto'

/**
 * What binds a row of the log to all before it: SHA-256 over the hash before it and the row as a JSON array in this order,
 * base64url. Holds no secret, so that anybody who has the rows can follow it.
 * @param previous '' for the first
 */
export const chainHash = (
  previous: string,
  { id, actorId, subjectId, action, objectId, requestId, at }: AuditRow,
): string =>
  createHash('sha256')
    .update(JSON.stringify([previous, id, actorId, subjectId, action, objectId, requestId, at]))
    .digest('base64url')
