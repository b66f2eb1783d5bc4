import type { AuditRow } from '#db/audit/audit.ts'
import { createHash, createHmac } from 'node:crypto'
import { deriveKey, type ShopKeys } from '../crypto/key-ring.ts'

/** What the hash of a link covers: all links before it, by the previous hash, and its own row. */
type LinkFields = {
  /** '' for the first link. */
  previous: string
  row: AuditRow
}

/**
 * The fields that every link covers, in this order. Never change it: stored links would not verify.
 */
const rowFields = ({ id, actorId, subjectId, action, objectId, requestId, at }: AuditRow) =>
  [id, actorId, subjectId, action, objectId, requestId, at] as const

/**
 * The hash of a link from before links had a key: SHA-256 over a JSON array, in base64url. An owner
 * of the database could compute it for other rows.
 */
export const unkeyedHash = ({ previous, row }: LinkFields): string =>
  createHash('sha256')
    .update(JSON.stringify([previous, ...rowFields(row)]))
    .digest('base64url')

/**
 * The hashes of the shop's links: HMAC-SHA-256 over a JSON array, in base64url. The key is derived
 * from the index key, which is stored under the master key and survives its rotation.
 */
export function createLinkHash(keys: Pick<ShopKeys, 'indexKey'>): (fields: LinkFields) => string {
  const key = deriveKey(keys.indexKey, 'meridian audit chain')
  return ({ previous, row }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([previous, ...rowFields(row)]))
      .digest('base64url')
}
