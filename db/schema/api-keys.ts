import type { OrderAccess } from '#domain/api-keys/key-permissions.ts'

/** A key of a machine. */
export type ApiKeysTable = {
  id: string
  name: string
  /** The start of the key, by which people recognize it. */
  prefix: string
  keyHash: string
  /** A JSON list of permissions. */
  permissions: string
  /** Null for a key that is not for orders. */
  orderAccess: OrderAccess | null
  /** Its creator: the key can do no more than this user. */
  createdBy: string
  createdAt: Date
  expiresAt: Date
  /** Written at most once a minute. */
  lastUsedAt: Date | null
  revokedAt: Date | null
}
