import type { Db } from '#db/engine/client.ts'
import { findShopKey, insertShopKey } from '#db/crypto/keys.ts'
import { hkdfSync, randomBytes } from 'node:crypto'
import type { Env } from '../env.ts'
import { keptSecrets } from './local-secrets.ts'
import type { ShopKeys } from './key-ring.ts'
import { bindings } from './bindings.ts'
import { seal, unseal } from './sealing.ts'

const associatedData = bindings.shopKey('index')

/**
 * Everything secret that a process needs, once at its start: the master keys and the secret of its environment, or those that
 * development and the demo keep, and the key of the blind indexes, made by the first start of all. The database must be
 * migrated. Throws when that key was wrapped by a master key that is missing now.
 */
export async function openShopKeys(
  db: Db,
  env: Pick<Env, 'databaseUrl' | 'encryptionKeys' | 'sessionSecret'>,
): Promise<ShopKeys> {
  const ring = env.encryptionKeys ?? keptSecrets(env.databaseUrl).ring
  const sessionSecret = env.sessionSecret ?? keptSecrets(env.databaseUrl).sessionSecret
  await insertShopKey(db, {
    id: 'index',
    wrappedKey: seal(ring, associatedData, randomBytes(32).toString('base64url')),
    createdAt: new Date(),
  })
  const wrapped = await findShopKey(db, 'index')
  return {
    // Not copied: the ring of development and the demo takes new keys while the shop runs.
    get current() {
      return ring.current
    },
    get keys() {
      return ring.keys
    },
    hashKey: Buffer.from(hkdfSync('sha256', sessionSecret, '', 'meridian hashes', 32)),
    indexKey: Buffer.from(unseal(ring, associatedData, wrapped), 'base64url'),
  }
}
