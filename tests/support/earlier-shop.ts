import type { Db, Engine } from '#db/engine/client.ts'
import type { Context } from '#server/context.ts'
import { parseKeyRing, type ShopKeys } from '#server/crypto/key-ring.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { testContext } from './context.ts'
import { openTestDatabase } from './databases.ts'
import type { OpenWithUrl } from './engines.ts'
import { memoryStorage } from './memory-storage.ts'

const folder = 'tests/fixtures/before-0022'
const id = z.object({ id: z.string() })

const factsSchema = z.object({
  users: z.object({ ada: z.string(), zoe: z.string(), ben: z.string(), cara: z.string(), dora: z.string() }),
  tokens: z.object({
    session: z.string(),
    changeEmail: z.string(),
    cart: z.string(),
    signInCookie: z.string(),
  }),
  secondFactor: z.object({ secret: z.string(), recoveryCode: z.string() }),
  prescriptions: z.object({ approved: z.string(), underReview: z.string() }),
  orders: z.object({ shipped: z.string(), cancelled: z.string() }),
  checkouts: z.object({
    open: id.extend({ paymentId: z.string(), clientSecret: z.string() }),
    abandoned: id,
    paid: id.extend({ paymentId: z.string() }),
  }),
  variants: z.object({ advil: z.string(), generic: z.string(), zestril: z.string() }),
  pharmacy: z.string(),
  imports: z.object({ received: z.string(), checked: z.string() }),
  auditHead: z.string(),
})

const fileSchema = z.object({
  ENCRYPTION_KEYS: z.string(),
  SESSION_SECRET: z.string(),
  files: z.record(z.string(), z.base64()),
  sqlite: factsSchema,
  postgres: factsSchema,
})

const file = fileSchema.parse(JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')))

/** `ENCRYPTION_KEYS` of the earlier shop. */
export const earlierMasterKeys = file.ENCRYPTION_KEYS

export type EarlierShop = {
  db: Db
  facts: z.infer<typeof factsSchema>
  /** Opens the shop's keys with these master keys. The database must be migrated. */
  openKeys: (masterKeys?: string) => Promise<ShopKeys>
  /** A context with these keys, at noon of the fixture's day. */
  contextWith: (keys: ShopKeys, input?: Partial<Context>) => Context
}

/** Opens a copy of a database from before migration 0022. It is not migrated yet. */
export async function openEarlierShop(engine: Engine, openWithUrl: OpenWithUrl): Promise<EarlierShop> {
  const opened = await openWithUrl()
  const { url, db } = await (engine === 'sqlite' ? restoreSqlite(opened.url) : restorePostgres(opened))
  const storage = memoryStorage()
  for (const [key, base64] of Object.entries(file.files))
    storage.files.set(key, Buffer.from(base64, 'base64'))
  return {
    db,
    facts: file[engine],
    openKeys: (masterKeys = earlierMasterKeys) =>
      openShopKeys(db, {
        databaseUrl: url,
        encryptionKeys: parseKeyRing(masterKeys),
        sessionSecret: file.SESSION_SECRET,
      }),
    contextWith: (keys, input = {}) => testContext(db, { keys, storage, ...input }),
  }
}

type Restored = { url: string; db: Db }

const unzip = (name: string): Buffer => gunzipSync(readFileSync(join(folder, name)))

/** Restores into a new file, because the handles of the original file stay open. */
async function restoreSqlite(emptyUrl: string): Promise<Restored> {
  const url = emptyUrl.replace(/\.sqlite$/, '-earlier.sqlite')
  writeFileSync(url.slice('sqlite:'.length), unzip('shop.sqlite.gz'))
  const db = openTestDatabase(url)
  onTestFinished(() => db.destroy())
  return { url, db }
}

async function restorePostgres({ url, db }: Restored): Promise<Restored> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('drop schema public cascade; create schema public')
    await client.query(unzip('shop.sql.gz').toString('utf8'))
  } finally {
    await client.end()
  }
  return { url, db }
}
