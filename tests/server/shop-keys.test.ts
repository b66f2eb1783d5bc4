import type { Db } from '#db/engine/client.ts'
import { parseKeyRing } from '#server/crypto/key-ring.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const isEither = 'Either it is another key with the same id, or the row in shop_keys is damaged.'

/** Changes the sealed text, and not the id of its key. */
async function damageShopKey(db: Db): Promise<string> {
  const { wrappedKey } = await db.selectFrom('shopKeys').select('wrappedKey').executeTakeFirstOrThrow()
  const [version, id = '', nonce, content = '', tag] = wrappedKey.split('.')
  const damaged = [version, id, nonce, [...content].toReversed().join(''), tag].join('.')
  await db.updateTable('shopKeys').set({ wrappedKey: damaged }).execute()
  return id
}

eachEngine((_engine, openDb) => {
  test('a damaged key of the shop is not reported as a wrong key of the environment', async () => {
    const db = await openDb()
    const env = {
      databaseUrl: 'sqlite::memory:',
      encryptionKeys: parseKeyRing(productionEnv.ENCRYPTION_KEYS),
      sessionSecret: productionEnv.SESSION_SECRET,
    }
    await openShopKeys(db, env)
    const id = await damageShopKey(db)
    await expect(openShopKeys(db, env)).rejects.toThrow(
      `ENCRYPTION_KEYS: the key "${id}" does not open this database. ${isEither}`,
    )
  })

  test('local keys that do not open the database are named with their file', async () => {
    const db = await openDb()
    const folder = mkdtempSync(join(tmpdir(), 'meridian-keys-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const env = {
      databaseUrl: `sqlite:${join(folder, 'shop.sqlite')}`,
      encryptionKeys: null,
      sessionSecret: null,
    }
    const file = join(folder, 'secrets.json')
    await openShopKeys(db, env)
    const id = await damageShopKey(db)
    await expect(openShopKeys(db, env)).rejects.toThrow(
      `ENCRYPTION_KEYS: the key "${id}" in ${file} does not open this database. ${isEither}`,
    )
    rmSync(file)
    await expect(openShopKeys(db, env)).rejects.toThrow(
      `ENCRYPTION_KEYS: the database names the key "${id}", and there is no such key in ${file}.`,
    )
  })
})
