import { newId } from '#domain/ids.ts'
import { parseKeyRing } from '#server/crypto/key-ring.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { openStorage } from '#server/integrations/storage/open-storage.ts'
import { parseS3Address } from '#server/integrations/storage/s3-address.ts'
import { startS3Front } from '#tests/mocks/s3-front.ts'
import { startS3 } from '#tests/mocks/s3.ts'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { OpenWithUrl } from './engines.ts'
import { productionEnv } from './production-env.ts'
import { storeFile } from './stored-files.ts'

const { ENCRYPTION_KEYS: key, SESSION_SECRET: sessionSecret } = productionEnv

/** A new bucket on a server of its own, behind a proxy that tests control. */
async function openBucket(folder: string) {
  const directory = join(folder, newId())
  mkdirSync(directory)
  const s3 = await startS3(directory)
  const front = await startS3Front(s3.address)
  onTestFinished(async () => {
    await front.close()
    await s3.close()
  })
  const address = { kind: 's3', ...parseS3Address(front.address), credentials: s3.credentials } as const
  const env = {
    STORAGE: front.address,
    AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    // On Node 20, the SDK warns that its next versions need a newer one.
    NODE_NO_WARNINGS: '1',
  }
  const storage = await openStorage(address)
  const read = async (name: string): Promise<string | null> => {
    const bytes = await storage.get(name)
    return bytes && (await buffer(bytes)).toString('base64')
  }
  return { ...front, address, env, storage, list: s3.list, read }
}
export type Bucket = Awaited<ReturnType<typeof openBucket>>

/** A shop with its keys and some files in a bucket. */
export async function openBucketShop(openWithUrl: OpenWithUrl, { files = 3 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-bucket-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { db, url } = await openWithUrl()
  const encryptionKeys = parseKeyRing(key)
  await openShopKeys(db, { databaseUrl: url, encryptionKeys, sessionSecret })
  const bucket = await openBucket(folder)
  const keys: string[] = []
  for (let i = 0; i < files; i++) keys.push(await storeFile({ db, storage: bucket.storage }))
  bucket.takeSeen()
  const live = { databaseUrl: url, encryptionKeys, storage: bucket.address }
  /** Of a command. */
  const env = { DATABASE_URL: url, ENCRYPTION_KEYS: key, SESSION_SECRET: sessionSecret, ...bucket.env }
  return { db, folder, bucket, keys, live, env, openBucket: () => openBucket(folder) }
}
