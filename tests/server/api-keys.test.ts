import type { Db } from '#db/engine/client.ts'
import type { KeyPermission } from '#domain/api-keys/key-permissions.ts'
import { newVariantSchema } from '#domain/catalog/variant-fields.ts'
import { newId } from '#domain/ids.ts'
import { authenticateKey } from '#server/api-keys/authenticate-key.ts'
import { createKey } from '#server/api-keys/save-key.ts'
import { createVariant } from '#server/catalog/create-variant.ts'
import { updateVariant } from '#server/catalog/update-variant.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
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

  test('a key for the catalog alone changes no stock', async () => {
    const db = await openDb()
    const id = await addVariant(db, { stockQuantity: 5 })
    const input = newVariantSchema.parse({
      productId: await addProduct(db),
      strength: '10',
      strengthUnit: 'mg',
      packageSize: 30,
      packageUnit: 'tablet',
      price: '12.50',
    })
    const userId = await makeUser(db, { isAdmin: true })
    const withPermissions = (...permissions: KeyPermission[]) =>
      testContext(db, { user: signedIn(userId, { permissions: new Set(permissions) }) })
    const catalog = withPermissions('catalog.write')
    expect(await updateVariant(catalog, id, { sku: 'K-1', stockQuantity: 5 })).toMatchObject({ sku: 'K-1' })
    expect(await createVariant(catalog, input)).toMatchObject({ stockQuantity: 0 })
    const forbidden = { code: 'FORBIDDEN' }
    await expect(updateVariant(catalog, id, { stockQuantity: 500 })).rejects.toMatchObject(forbidden)
    await expect(createVariant(catalog, { ...input, stockQuantity: 3 })).rejects.toMatchObject(forbidden)

    const both = withPermissions('catalog.write', 'stock.write')
    expect(await updateVariant(both, id, { stockQuantity: 500 })).toMatchObject({ stockQuantity: 500 })
    expect(await createVariant(both, { ...input, stockQuantity: 3 })).toMatchObject({ stockQuantity: 3 })
  })
})
