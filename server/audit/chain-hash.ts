import type { AuditRow } from '#db/audit/audit.ts'
import { createHash } from 'node:crypto'

/**
 * The hash that chains an audit row to all rows before it: SHA-256 over the previous hash and the
 * row's fields, as a JSON array in this order, in base64url. It contains no secret, so anyone with
 * the rows can verify it.
 * @param previous '' for the first row
 */
export const chainHash = (
  previous: string,
  { id, actorId, subjectId, action, objectId, requestId, at }: AuditRow,
): string =>
  createHash('sha256')
    .update(JSON.stringify([previous, id, actorId, subjectId, action, objectId, requestId, at]))
    .digest('base64url')
