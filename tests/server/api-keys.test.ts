import type { Db } from '#db/engine/client.ts'
import type { KeyPermission } from '#domain/api-keys/key-permissions.ts'
import { newVariantSchema } from '#domain/catalog/variant-fields.ts'
import { newId } from '#domain/ids.ts'
import { authenticateKey } from '#server/api-keys/authenticate-key.ts'
import { changeAccess } from '#server/accounts/change-access.ts'
import { endAllSessions } from '#server/accounts/end-session.ts'
import { setPassword } from '#server/accounts/set-password.ts'
import { setRoles } from '#server/accounts/set-roles.ts'
import { listKeys } from '#server/api-keys/list-keys.ts'
import { createKey, revokeKey } from '#server/api-keys/save-key.ts'
import { createVariant } from '#server/catalog/create-variant.ts'
import { updateVariant } from '#server/catalog/update-variant.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { createEndpoint, disableEndpoint } from '#server/webhooks/save-endpoint.ts'
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
    const fields = { id: newId(), name: 'Warehouse', days: 30, stockRead: 'on', orders: null }
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

  test('the list says what each key can do now, as its calls find it', async () => {
    const db = await openDb()
    const email = 'other@shop.example'
    const admin = signedIn(await makeUser(db, { isAdmin: true, email }), { isAdmin: true })
    const ctx = testContext(db, { user: admin, now: start })
    const creatorId = await makeUser(db, { isAdmin: true })
    const user = signedIn(creatorId, { isAdmin: true })
    const fields = {
      id: newId(),
      name: 'Warehouse',
      days: 30,
      stockRead: 'on',
      stockWrite: 'on',
      orders: null,
    }
    const key = await createKey(testContext(db, { user, now: start }), fields)
    const both = ['stock.read', 'stock.write']
    const compare = async (requireAdminMfa = false) => {
      const [listed] = await listKeys(ctx, { requireAdminMfa })
      const { status, restriction, permissions, unavailable } = listed!
      expect(permissions).toEqual(both)
      const held = permissions.filter((name) => !unavailable.includes(name))
      const used = await authenticateKey(
        testContext(db, { now: start }),
        { key, ...call },
        { requireAdminMfa },
      )
        .then(({ permissions }) => [...permissions])
        .catch((error: unknown) => error)
      return { status, restriction, held, used }
    }
    const refused = {
      status: 'active',
      restriction: 'refused',
      held: [],
      used: expect.objectContaining({ code: 'UNAUTHENTICATED' }),
    }
    expect(await compare()).toEqual({ status: 'active', restriction: null, held: both, used: both })
    expect(await compare(true)).toEqual({ status: 'active', restriction: 'no-two-step', held: [], used: [] })
    await setRoles(ctx, { userId: creatorId, edit: () => ['fulfillment'] })
    expect(await compare()).toEqual({
      status: 'active',
      restriction: 'missing-permissions',
      held: ['stock.read'],
      used: ['stock.read'],
    })
    await changeAccess(ctx, { userId: creatorId, change: 'suspend', reason: 'Left' })
    expect(await compare()).toEqual(refused)
    await changeAccess(ctx, { userId: creatorId, change: 'restore', reason: 'Back' })
    expect(await compare()).toMatchObject({ restriction: 'missing-permissions' })
    await deleteUser(ctx, creatorId)
    expect(await compare()).toEqual(refused)
    await revokeKey(ctx, fields.id)
    expect(await compare()).toMatchObject({ status: 'revoked', restriction: null })
  })

  test('an admin with a second factor creates a key only with a recent code', async () => {
    const db = await openDb()
    await expect(makeKey(db, { hasSecondFactor: true })).rejects.toMatchObject({ code: 'CODE_REQUIRED' })
    expect(await makeKey(db, { hasSecondFactor: true, factorVerifiedAt: start })).toMatch(/^meridian_/)
  })

  test('admins get a mail about the keys and webhooks of an account that changes', async () => {
    const db = await openDb()
    const email = 'other@shop.example'
    const other = signedIn(await makeUser(db, { isAdmin: true, email }), { isAdmin: true })
    const ctx = testContext(db, { user: other, now: start })
    const makeCreator = async (name: string) => {
      const userId = await makeUser(db, { isAdmin: true, email: `${name}@shop.example` })
      const ids = { key: newId(), webhook: newId() }
      const own = testContext(db, { user: signedIn(userId, { isAdmin: true }), now: start })
      await createKey(own, { id: ids.key, name: `Key of ${name}`, days: 30, stockRead: 'on', orders: null })
      await createEndpoint(own, { id: ids.webhook, url: `https://${name}.example/in?t=1`, topic: 'stock' })
      return { userId, ...ids }
    }
    const reset = (userId: string) =>
      setPassword(ctx, { userId, passwordHash: 'none', supportEmail: 'support@shop.example' })
    const mailsOf = async (name: string): Promise<(string | undefined)[]> =>
      (await listOutbox(ctx))
        .filter(({ to, subject, text }) => to.address === email && `${subject}${text}`.includes(name))
        .map(({ text }) => text)

    const changes = {
      'has a new password': reset,
      'has new roles': (userId: string) => setRoles(ctx, { userId, edit: () => ['support'] }),
      'was suspended': (userId: string) => changeAccess(ctx, { userId, change: 'suspend', reason: 'Left' }),
      'was signed out everywhere': (userId: string) =>
        changeAccess(ctx, { userId, change: 'end-sessions', reason: 'Leaked' }),
      'was deleted': (userId: string) => deleteUser(ctx, userId),
    }
    for (const [event, change] of Object.entries(changes)) {
      const name = event.replaceAll(' ', '-')
      const { userId } = await makeCreator(name)
      await change(userId)
      const [text, ...more] = await mailsOf(name)
      expect(more).toEqual([])
      expect(text).toContain(`An account that created API keys or webhooks ${event}`)
      expect(text).toMatch(new RegExp(`API key: Key of ${name} \\(meridian_[\\w-]{6}…\\)`))
      expect(text).toContain(`Webhook: ${name}.example\n`)
      expect(text).toContain('/admin/api/keys')
    }

    const careful = await makeCreator('careful')
    await endAllSessions(testContext(db, { user: signedIn(careful.userId), now: start }))
    expect(await mailsOf('careful')).toEqual([expect.stringContaining('was signed out everywhere')])

    const demoted = await makeCreator('demoted')
    await setRoles(ctx, { userId: demoted.userId, edit: () => ['support'] })
    await setRoles(ctx, { userId: demoted.userId, edit: () => ['catalog-manager'] })
    expect(await mailsOf('demoted')).toHaveLength(1)

    const closed = await makeCreator('closed')
    await revokeKey(ctx, closed.key)
    await disableEndpoint(ctx, closed.webhook)
    await reset(closed.userId)
    await reset(await makeUser(db, { email: 'customer@shop.example' }))
    expect(await mailsOf('closed')).toEqual([])
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
