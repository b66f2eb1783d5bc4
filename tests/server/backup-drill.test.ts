import { resetDatabase } from '#db/engine/reset.ts'
import { backUp } from '#server/backup/back-up.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { newId } from '#domain/ids.ts'
import { parseKeyRing } from '#server/crypto/key-ring.ts'
import { openLocalStorage } from '#server/integrations/storage/local.ts'
import { startCommand } from '#tests/support/commands.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { samplePng } from '#tests/support/sample-files.ts'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const { ENCRYPTION_KEYS: key, SESSION_SECRET: sessionSecret } = productionEnv

async function* onePicture(): AsyncGenerator<Uint8Array> {
  yield samplePng()
}

eachEngine((engine, _openDb, openWithUrl) => {
  test('a drill restores the newest backup elsewhere, compares every byte and is recorded', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'meridian-drill-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const { db, url } = await openWithUrl('demo')
    const scratch = await openWithUrl()
    const encryptionKeys = parseKeyRing(key)
    const shop = {
      databaseUrl: url,
      encryptionKeys,
      storage: { kind: 'local', path: join(folder, 'files') } as const,
    }
    await openShopKeys(db, { databaseUrl: url, encryptionKeys, sessionSecret })
    await openLocalStorage(shop.storage.path).put(newId(), onePicture())
    const backups = join(folder, 'backups')
    for (const [name, day] of [
      ['older', '2026-11-20'],
      ['newer', '2026-11-21'],
    ] as const)
      await backUp(shop, { to: join(backups, name), now: new Date(`${day}T02:00:00Z`) })

    const drill = async (into: string) => {
      const args = ['--backups', backups, ...(engine === 'postgres' ? ['--into', into] : [])]
      const env = { DATABASE_URL: url, STORAGE: `local:${shop.storage.path}`, ENCRYPTION_KEYS: key }
      return startCommand('backup-drill', { args, env: { ...env, SESSION_SECRET: sessionSecret } }).ended
    }
    const lastRun = () => db.selectFrom('runs').selectAll().where('name', '=', 'restore').executeTakeFirst()

    // The place is not empty: nothing there is touched.
    if (engine === 'postgres') {
      const refused = await drill(scratch.url)
      expect(refused.code).toBe(1)
      expect(refused.err).toContain('is not empty')
      expect(await scratch.db.selectFrom('products').select('id').limit(1).execute()).toEqual([])
      expect(await lastRun()).toMatchObject({ failure: 'INVALID', succeededAt: null })
      await scratch.db.destroy()
      await resetDatabase(scratch.url)
    }
    const passed = await drill(scratch.url)
    expect(passed.err).toBe('')
    expect(passed.out).toMatch(/backup=2026-11-21T02:00:00.000Z compared=\d+ files=0 findings=0\n$/)
    expect(Number(/compared=(\d+)/.exec(passed.out)?.[1])).toBeGreaterThanOrEqual(
      engine === 'sqlite' ? 2 : 80,
    )
    expect(await lastRun()).toMatchObject({ kind: 'verify', summary: 'findings=0' })

    appendFileSync(join(backups, 'newer', engine === 'sqlite' ? 'database.sqlite' : 'database.dump'), 'x')
    const damaged = await drill(scratch.url)
    expect(damaged.code).toBe(1)
    expect(damaged.err).toContain('is not what was backed up')
    expect((await lastRun())?.failedAt).not.toBeNull()
  })
})
