import type { Db } from '#db/engine/client.ts'
import { newId } from '#domain/ids.ts'
import { authenticateKey } from '#server/api-keys/authenticate-key.ts'
import { createKey } from '#server/api-keys/save-key.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

const call = { method: 'GET', route: '/api/inventory/transactions' }
const start = new Date('2026-03-02T09:00:00Z')
const afterSeconds = (seconds: number): Date => new Date(start.getTime() + seconds * 1000)

eachEngine((_engine, openDb) => {
  const makeKey = async (db: Db, overrides: Parameters<typeof signedIn>[1] = {}): Promise<string> => {
    const user = signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true, ...overrides })
    const fields = { id: newId(), name: 'Warehouse', days: 30, stockRead: 'on' }
    return createKey(testContext(db, { user, now: start }), fields)
  }

  test('the last use of a key is written at most once a minute', async () => {
    const db = await openDb()
    const key = await makeKey(db)
    const useAt = async (now: Date): Promise<Date | null> => {
      await authenticateKey(testContext(db, { now }), { key, ...call }, { requireAdminMfa: false })
      const row = await db.selectFrom('apiKeys').select('lastUsedAt').executeTakeFirstOrThrow()
      return row.lastUsedAt
    }
    expect(await useAt(afterSeconds(1))).toEqual(afterSeconds(1))
    expect(await useAt(afterSeconds(60))).toEqual(afterSeconds(1))
    expect(await useAt(afterSeconds(62))).toEqual(afterSeconds(62))
  })

  test('where staff need a second factor, the key of a creator without one has no permission', async () => {
    const db = await openDb()
    const key = await makeKey(db)
    const permissions = async (requireAdminMfa: boolean): Promise<string[]> => {
      const ctx = testContext(db, { now: start })
      return [...(await authenticateKey(ctx, { key, ...call }, { requireAdminMfa })).permissions]
    }
    expect(await permissions(false)).toEqual(['stock.read'])
    expect(await permissions(true)).toEqual([])
    await db.updateTable('users').set({ totpConfirmedAt: start }).execute()
    expect(await permissions(true)).toEqual(['stock.read'])
  })

  test('an admin with a second factor creates a key only with a recent code', async () => {
    const db = await openDb()
    await expect(makeKey(db, { hasSecondFactor: true })).rejects.toMatchObject({ code: 'CODE_REQUIRED' })
    expect(await makeKey(db, { hasSecondFactor: true, factorVerifiedAt: start })).toMatch(/^meridian_/)
  })
})
