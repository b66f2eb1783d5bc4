import type { Db } from '#db/engine/client.ts'
import { findShopKey, getShopKey, insertShopKey } from '#db/crypto/keys.ts'
import { AppError } from '#domain/errors.ts'
import { createSecretKey, randomBytes } from 'node:crypto'
import { EnvError } from '../env-error.ts'
import type { Env } from '../env.ts'
import { findLocalSecrets, localSecrets, secretsFile } from './local-secrets.ts'
import { deriveKey, type KeyRing, type ShopKeys } from './key-ring.ts'
import { bindings } from './bindings.ts'
import { noSuchKey, seal, unseal } from './sealing.ts'

const associatedData = bindings.shopKey('index')

/**
 * Loads the secrets of a process at its start: the master keys and the session secret, from the
 * environment or from the local file of dev and demo, and the key of the blind indexes, which the
 * very first start creates. The database must be migrated. Throws EnvError when no master key
 * opens that key.
 */
export async function openShopKeys(
  db: Db,
  env: Pick<Env, 'databaseUrl' | 'encryptionKeys' | 'sessionSecret'>,
): Promise<ShopKeys> {
  const ring = env.encryptionKeys ?? localSecrets(env.databaseUrl).ring
  const sessionSecret = env.sessionSecret ?? localSecrets(env.databaseUrl).sessionSecret
  const file = env.encryptionKeys ? null : secretsFile(env.databaseUrl)
  await insertShopKey(db, {
    id: 'index',
    wrappedKey: seal(ring, associatedData, randomBytes(32).toString('base64url')),
    createdAt: new Date(),
  })
  const wrapped = await getShopKey(db, 'index')
  return {
    // Not copied: the ring of dev and demo gains new keys while the shop runs.
    get current() {
      return ring.current
    },
    get keys() {
      return ring.keys
    },
    hashKey: deriveKey(sessionSecret, 'meridian hashes'),
    indexKey: createSecretKey(openIndexKey(ring, wrapped, file), 'base64url'),
  }
}

/** The master keys of the environment, or of the local file. Creates nothing. */
export const findMasterKeys = ({
  databaseUrl,
  encryptionKeys,
}: Pick<Env, 'databaseUrl' | 'encryptionKeys'>): KeyRing | undefined =>
  encryptionKeys ?? findLocalSecrets(databaseUrl)?.ring

/**
 * Throws EnvError when the master keys do not open this database's key of the blind indexes, and
 * INVALID when it has none yet. Does nothing without master keys. Writes nothing.
 */
export async function verifyMasterKeys(
  db: Db,
  env: Pick<Env, 'databaseUrl' | 'encryptionKeys'>,
): Promise<void> {
  const ring = findMasterKeys(env)
  if (!ring) return
  const wrapped = await findShopKey(db, 'index')
  if (wrapped === null) {
    const sentence = 'The shop has never started with this database, so it has no keys yet. Start it first.'
    throw new AppError('INVALID', sentence)
  }
  openIndexKey(ring, wrapped, env.encryptionKeys ? null : secretsFile(env.databaseUrl))
}

/** @param file of the master keys; null when they come from the environment */
function openIndexKey(ring: KeyRing, wrapped: string, file: string | null): string {
  try {
    return unseal(ring, associatedData, wrapped)
  } catch (error) {
    const [, id = ''] = wrapped.split('.')
    const place = file === null ? '' : ` in ${file}`
    const problem = ring.keys.has(id)
      ? `the key ${JSON.stringify(id)}${place} does not open this database. Either it is another key with the same id, ` +
        'or the row in shop_keys is damaged.'
      : `${noSuchKey('the database', id)}${place}.`
    throw new EnvError(`ENCRYPTION_KEYS: ${problem}`, { cause: error })
  }
}
