import { findKeyCall } from '#domain/api-keys/key-permissions.ts'
import { operations } from '#app/routes/api/openapi/operations.ts'
import { newId } from '#domain/ids.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { placeOrder, placeRxOrder } from '#tests/support/orders.ts'
import { eachShop, type Shop } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const path = '/admin/api/keys'
const dayMs = 24 * 3600_000

test('a call accepts a key only with the permission that the call itself needs', () => {
  const accepting = operations.filter(({ forKey }) => forKey !== undefined)
  expect(accepting).toHaveLength(18)
  // Customers read their own orders, and staff who cannot ship cancel orders.
  const other = new Map([
    ['GET /api/orders/{id}', 'orders.read'],
    ['PATCH /api/orders/{id}', 'orders.ship'],
  ])
  for (const { method, path, for: who, forKey } of accepting)
    expect(forKey ?? 'anyone', `${method} ${path}`).toBe(other.get(`${method} ${path}`) ?? who)
  expect(findKeyCall('GET', '/api/orders')).toBeUndefined()
})

test('every method of a path accepts a key, or none does', () => {
  for (const { path } of operations) {
    const accepts = operations.filter((one) => one.path === path).map(({ forKey }) => forKey !== undefined)
    expect(new Set(accepts).size, path).toBe(1)
  }
})

eachShop((openShop) => {
  /** An admin with a key, by default one for the stock's history and the catalog. */
  const makeKey = async (
    shop: Shop,
    permissions: Record<string, string> = { stockRead: 'on', catalogWrite: 'on' },
  ) => {
    const admin = shop.visit()
    const adminId = await makeUser(shop.db, { isAdmin: true })
    await signInAs(admin, shop.db, adminId)
    const id = newId()
    const fields = {
      intent: 'create',
      id,
      name: 'Warehouse',
      days: '30',
      ...permissions,
    }
    const created = await admin.post(path, fields)
    expect(created.status).toBe(200)
    expect(created.headers.get('cache-control')).toContain('no-store')
    const key = /meridian_[\w-]{43}/.exec(await created.text())?.[0] ?? ''
    expect(key).not.toBe('')
    return { admin, adminId, id, fields, key }
  }
  const call = (shop: Shop, key: string, path: string, init: { method?: string; body?: object } = {}) =>
    shop.visit().request(path, {
      method: init.method ?? 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(init.body && { body: JSON.stringify(init.body) }),
    })

  test('without scripts, an admin creates a key, sees it once, and revokes it', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const { admin, adminId, id, fields, key } = await makeKey(shop)
    expect((await admin.post(path, fields)).status).toBe(409)
    expect((await admin.post(path, { ...fields, stockRead: '', catalogWrite: '', id: newId() })).status).toBe(
      422,
    )
    const list = await (await admin.get(path)).text()
    expect(list).toContain(key.slice(0, 15))
    expect(list).not.toContain(key)
    expect(JSON.stringify(await shop.db.selectFrom('apiKeys').selectAll().execute())).not.toContain(
      key.slice(15),
    )

    expect((await call(shop, key, '/api/inventory/transactions')).status).toBe(200)
    expect((await admin.post(path, { intent: 'revoke', id })).status).toBe(303)
    const refused = await call(shop, key, '/api/inventory/transactions')
    expect(refused.status).toBe(401)
    expect(await refused.text()).toBe('This API key is unknown, expired or revoked.')
    expect(JSON.stringify(shop.log)).not.toContain(key.slice(15))
    const audit = await shop.db
      .selectFrom('auditLog')
      .select(['action', 'actorId'])
      .where('objectId', '=', id)
      .orderBy('id')
      .execute()
    expect(audit).toEqual([
      { action: 'api-key.created', actorId: adminId },
      { action: 'api-key.revoked', actorId: adminId },
    ])
  })

  test('a key makes the listed calls that it has a permission for, and the audit log names it', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const { admin, id, key } = await makeKey(shop)
    const manufacturer = { method: 'POST', body: { name: 'Keyed Labs' } }
    expect((await call(shop, key, '/api/manufacturers', manufacturer)).status).toBe(201)
    const used = await shop.db
      .selectFrom('auditLog')
      .select('requestId')
      .where('action', '=', 'api-key.used')
      .where('objectId', '=', id)
      .executeTakeFirstOrThrow()
    const actions = await shop.db
      .selectFrom('auditLog')
      .select('action')
      .where('requestId', '=', used.requestId)
      .execute()
    expect(actions).toContainEqual({ action: 'manufacturer.created' })

    const body = { variantId: newId(), quantityChange: 1, transactionType: 'adjustment' }
    expect((await call(shop, key, '/api/inventory/adjust', { method: 'POST', body })).status).toBe(403)
    // The session beside it holds every permission, but the key replaces it.
    const both = { headers: { authorization: `Bearer ${key}` } }
    for (const other of ['/api/orders', '/api/users', '/api/auth/user', '/api/prescriptions'])
      expect((await admin.request(other, both)).status, other).toBe(403)
    const wrong = { headers: { authorization: `Bearer meridian_${'x'.repeat(43)}` } }
    expect((await admin.request('/api/auth/user', wrong)).status).toBe(401)
    expect((await admin.request('/api/products', wrong)).status).toBe(401)
    expect((await admin.request(path, both)).status).toBe(302)
  })

  test('a key for orders reads and ships one whose id it has, without its prescription medicines', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const { adminId, id: keyId, key } = await makeKey(shop, { orders: 'ship' })
    const customer = await makeUser(shop.db)
    const { order, variantId } = await placeRxOrder(shop.db, customer)
    const read = await call(shop, key, `/api/orders/${order.id}`)
    expect([read.status, read.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    const reply = await read.text()
    expect(JSON.parse(reply)).toMatchObject({
      id: order.id,
      status: 'processing',
      shippingAddress: order.shippingAddress,
      items: [{ product: { id: '', name: 'Prescription medicine' }, quantity: 1 }],
    })
    expect(reply).not.toContain(variantId)

    const plain = await placeOrder(shop.db, customer)
    const shipped = { status: 'shipped', carrier: 'UPS', trackingNumber: '1Z42' }
    const patch = { method: 'PATCH', body: shipped }
    const changed = await call(shop, key, `/api/orders/${plain.id}`, patch)
    expect([changed.status, await changed.json()]).toMatchObject([200, shipped])
    expect((await call(shop, key, `/api/orders/${order.id}`, patch)).status).toBe(409)

    const rows = await shop.db
      .selectFrom('auditLog')
      .select(['requestId', 'action', 'subjectId'])
      .where('actorId', '=', adminId)
      .where('action', 'in', ['order.read', 'order.changed', 'api-key.used'])
      .where('objectId', 'in', [order.id, plain.id, keyId])
      .orderBy('id')
      .execute()
    expect(rows.map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ['order.read', customer],
      ['api-key.used', 'shop'],
      ['order.changed', customer],
      ['api-key.used', 'shop'],
    ])
    expect(new Set(rows.map(({ requestId }) => requestId)).size).toBe(2)
  })

  test('a key for orders lists none, cancels none, and does nothing else', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const { adminId, key } = await makeKey(shop, { orders: 'ship' })
    const order = await placeOrder(shop.db, await makeUser(shop.db))
    const own = await placeRxOrder(shop.db, adminId)
    const cancel = { method: 'PATCH', body: { status: 'cancelled' } }
    expect((await call(shop, key, `/api/orders/${order.id}`, cancel)).status).toBe(403)
    expect((await call(shop, key, `/api/orders/${newId()}`)).status).toBe(404)
    for (const other of ['/api/orders', '/api/orders/user', `/api/orders/user/${adminId}`])
      expect((await call(shop, key, other)).status, other).toBe(403)
    expect((await call(shop, key, '/api/inventory/transactions')).status).toBe(403)
    // Its creator's own order is like any other.
    const read = await call(shop, key, `/api/orders/${own.order.id}`)
    expect(await read.json()).toMatchObject({ items: [{ product: { name: 'Prescription medicine' } }] })
    const ship = { method: 'PATCH', body: { trackingNumber: '1Z42' } }
    expect((await call(shop, key, `/api/orders/${own.order.id}`, ship)).status).toBe(409)
  })

  test('a key changes an order only with that access, and another key reads no order', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const reading = await makeKey(shop, { orders: 'read' })
    const order = await placeOrder(shop.db, await makeUser(shop.db))
    const orderPath = `/api/orders/${order.id}`
    const ship = { method: 'PATCH', body: { trackingNumber: '1Z42' } }
    expect((await call(shop, reading.key, orderPath)).status).toBe(200)
    expect((await call(shop, reading.key, orderPath, ship)).status).toBe(403)
    const stock = await makeKey(shop)
    const own = await placeOrder(shop.db, stock.adminId)
    for (const id of [order.id, own.id])
      expect((await call(shop, stock.key, `/api/orders/${id}`)).status).toBe(403)
    const refusals = await shop.db
      .selectFrom('auditLog')
      .select('actorId')
      .where('action', '=', 'access.refused')
      .orderBy('id')
      .execute()
    expect(refusals.map(({ actorId }) => actorId)).toEqual([reading.adminId, stock.adminId, stock.adminId])
  })

  test('a key is for orders or for the catalog and stock, and the form keeps what was chosen', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const { admin, fields } = await makeKey(shop)
    const both = await admin.post(path, { ...fields, id: newId(), orders: 'read' })
    expect(both.status).toBe(422)
    const page = await both.text()
    expect(page).toContain('A key for orders can have no other permission')
    expect(page).toMatch(/<option value="read" selected="">/)
    expect((await admin.post(path, { ...fields, id: newId(), orders: 'all' })).status).toBe(422)
  })

  test('a key that changes variants gets no acquisition costs, and its creator does', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const { admin, key } = await makeKey(shop)
    const id = await addVariant(shop.db, { acquisitionCostCents: 999 })
    const path = `/api/product-variants/${id}`
    const changed = await call(shop, key, path, { method: 'PATCH', body: { brandName: 'Keyed' } })
    expect(changed.status).toBe(200)
    const reply = await changed.json()
    expect(reply).toMatchObject({ id, brandName: 'Keyed' })
    expect(reply).not.toHaveProperty('acquisitionCost')
    const { productId, dosageForm, strength, strengthUnit, packageUnit } = reply
    const body = { productId, dosageForm, strength, strengthUnit, packageSize: 7, packageUnit, price: '9.00' }
    const created = await call(shop, key, '/api/product-variants', { method: 'POST', body })
    expect(created.status).toBe(201)
    expect(await created.text()).not.toContain('acquisitionCost')
    const own = await admin.request(path, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', origin: shop.origin },
      body: '{}',
    })
    expect(await own.json()).toMatchObject({ acquisitionCost: '9.99' })
  })

  test('a missing or malformed bearer token is refused, whatever session is beside it', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const { admin, key } = await makeKey(shop)
    const scheme = 'Bearer'
    const tokens = [` ${key} ${key}`, ` ${key},`, `\t${key}x`, ' token="x" scope="y"', `:${key}`, `: ${key}`]
    for (const authorization of [key, ...tokens.map((token) => scheme + token)]) {
      const headers = { authorization }
      const refused = await admin.request('/api/users', { headers })
      expect(refused.status, authorization).toBe(401)
      expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      expect((await admin.request('/api/products', { headers })).status, authorization).toBe(401)
    }
    // RFC 6750, section 3.1: no error code without a token.
    for (const authorization of [scheme, `${scheme} `]) {
      const refused = await admin.request('/api/users', { headers: { authorization } })
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toBe('Bearer')
      expect(await refused.text()).toBe('The API key is missing.')
    }
    for (const authorization of [key, `${scheme}:${key}`])
      expect((await admin.request(path, { headers: { authorization } })).status).toBe(302)
    const other = { headers: { authorization: 'Bearer other' } }
    for (const path of ['/API/users', '/Api/users'])
      expect((await admin.request(path, other)).status, path).toBe(401)
    const basic = { headers: { authorization: 'Basic YTpi' } }
    expect((await admin.request('/api/users', basic)).status).toBe(200)
  })

  // Contract, "/api", "Responses": path 404, method 405, 401, 403.
  test('an unknown path is 404 for any key, and an unknown method 405 where the path accepts keys', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const { admin, key } = await makeKey(shop)
    for (const sent of [key, 'wrong', '']) {
      expect((await call(shop, sent, '/api/nowhere')).status).toBe(404)
      const refused = await call(shop, sent, '/api/inventory/adjust', { method: 'PUT', body: {} })
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST'])
      const read = await call(shop, sent, `/api/product-variants/${newId()}`)
      expect([read.status, read.headers.get('allow')]).toEqual([405, 'PATCH'])
    }
    for (const [sent, status] of [
      [key, 403],
      ['wrong', 401],
      ['', 401],
    ] as const)
      expect((await call(shop, sent, '/api/pharmacies', { method: 'DELETE' })).status).toBe(status)
    // The key still replaces the session beside it.
    const both = { headers: { authorization: `Bearer ${key}` } }
    expect((await admin.request('/api/users', both)).status).toBe(403)
  })

  // Such a call runs as a visitor's, without the key, so no handler may accept it.
  test('every unknown method of a path that accepts keys is 405', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const { key } = await makeKey(shop)
    const accepting = operations.filter(({ forKey }) => forKey !== undefined)
    const calls = new Set(accepting.map(({ method, path }) => `${method} ${path}`))
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']
    const unknown = [...new Set(accepting.map(({ path }) => path))].flatMap((path) =>
      methods.filter((method) => !calls.has(`${method} ${path}`)).map((method) => ({ method, path })),
    )
    expect(unknown.length).toBeGreaterThan(40)
    for (const { method, path } of unknown) {
      const reply = await call(shop, key, path.replace(/\{\w+\}/, newId()), { method })
      expect(reply.status, `${method} ${path}`).toBe(405)
    }
  })

  // RFC 9110, section 15.5.2. A browser opens a password dialog for Basic and Digest only.
  test('a 401 without a key names the scheme of keys, and no other', async () => {
    const shop = await openShop({ catalog: 'empty' })
    const calls = [
      ['GET', '/api/auth/user'],
      ['POST', '/api/inventory/adjust'],
      ['PUT', `/api/objects/upload/${newId()}`],
      ['GET', '/trpc/orders.list'],
    ] as const
    for (const [method, path] of calls) {
      const refused = await shop.visit().request(path, { method, headers: { origin: shop.origin } })
      expect([refused.status, refused.headers.get('www-authenticate')], path).toEqual([401, 'Bearer'])
    }
  })

  test('a key ends with its period, and loses what its creator loses', async () => {
    let now = new Date()
    const shop = await openShop({ catalog: 'empty', now: () => now })
    const { adminId, key } = await makeKey(shop)
    const read = async () => (await call(shop, key, '/api/inventory/transactions')).status
    const setUser = (values: { roles?: string; suspendedAt?: Date | null }) =>
      shop.db.updateTable('users').set(values).where('id', '=', adminId).execute()
    expect(await read()).toBe(200)
    await setUser({ roles: 'support' })
    expect(await read()).toBe(403)
    await setUser({ roles: 'admin', suspendedAt: now })
    expect(await read()).toBe(401)
    await setUser({ suspendedAt: null })
    expect(await read()).toBe(200)
    now = new Date(now.getTime() + 31 * dayMs)
    expect(await read()).toBe(401)
  })

  test('a key has a limit of its own', async () => {
    const now = new Date()
    const shop = await openShop({ catalog: 'empty', now: () => now })
    const { admin, key } = await makeKey(shop)
    const statuses = new Set<number>()
    for (let sent = 0; sent < 600; sent++) statuses.add((await call(shop, key, '/api/products/none')).status)
    expect([...statuses]).toEqual([404])
    const refused = await call(shop, key, '/api/products/none')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await admin.get('/api/inventory/transactions')).status).toBe(200)
  })
})
