import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

/** The fields of an account in a list. */
const summarySchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  profileImageUrl: z.null(),
  isAdmin: z.boolean(),
  createdAt: z.iso.datetime(),
})

const unknownId = '0190a6f2-1b2c-7d3e-8f4a-5b6c7d8e9f0a'

eachShop((openShop) => {
  let shop: Shop
  let adminId: string
  let admin: Visitor
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
    adminId = await makeUser(shop.db, { isAdmin: true })
    admin = await visit(adminId)
  })
  const visit = async (id: string): Promise<Visitor> => {
    const visitor = shop.visit()
    await signInAs(visitor, shop.db, id)
    return visitor
  }
  const send = (method: string, id: string, body?: unknown, visitor = admin): Promise<Response> =>
    visitor.request(`/api/users/${id}`, {
      method,
      headers: { origin: shop.origin, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const logOf = async (subjectId: string): Promise<string[]> => {
    const rows = await shop.db
      .selectFrom('auditLog')
      .select(['action'])
      .where('subjectId', '=', subjectId)
      .where('actorId', '=', adminId)
      .orderBy('id')
      .execute()
    return rows.map(({ action }) => action)
  }

  test('the list has names, addresses and roles on every page, and the read is audited', async () => {
    const ids = [await makeUser(shop.db, { profile: { allergies: 'Xanomeline' } }), await makeUser(shop.db)]
    const all = await admin.get('/api/users')
    expect(all.headers.get('cache-control')).toContain('no-store')
    const text = await all.text()
    expect(text).not.toContain('Xanomeline')
    const whole = z.array(summarySchema).parse(JSON.parse(text))
    expect(whole.map(({ id }) => id)).toEqual(
      (await shop.db.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id),
    )
    for (const id of ids) expect(await logOf(id)).toEqual(['account.listed'])

    const paged: string[] = []
    let path: string | undefined = '/api/users?limit=1'
    while (path) {
      const response = await admin.get(path)
      expect(response.status).toBe(200)
      paged.push(
        ...z
          .array(summarySchema)
          .parse(await response.json())
          .map(({ id }) => id),
      )
      path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
    }
    expect(paged).toEqual(whole.map(({ id }) => id))
    for (const query of [`after=${unknownId}`, 'after=x', 'limit=0', 'limit=1001']) {
      expect((await admin.get(`/api/users?${query}`)).status, query).toBe(422)
    }
  })

  test('users can read their own profile, admins any, and reads are audited', async () => {
    const id = await makeUser(shop.db, { profile: { allergies: 'Penicillin', shippingStreet: '12 Lane' } })
    for (const visitor of [admin, await visit(id)]) {
      const response = await visitor.get(`/api/users/${id}`)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toContain('no-store')
      const user = z.record(z.string(), z.unknown()).parse(await response.json())
      expect(user).toMatchObject({
        id,
        allergies: 'Penicillin',
        shippingStreet: '12 Lane',
        shippingStreetAddress: '12 Lane',
        isAdmin: false,
        idDocumentPath: null,
      })
      expect(user).not.toHaveProperty('version')
    }
    expect(await logOf(id)).toEqual(['profile.read'])
    const other = await visit(await makeUser(shop.db))
    expect((await other.get(`/api/users/${id}`)).status).toBe(404)
    expect((await shop.visit().get(`/api/users/${id}`)).status).toBe(401)
    for (const missing of [unknownId, 'x', "' or 1=1"]) {
      const response = await admin.get(`/api/users/${encodeURIComponent(missing)}`)
      expect([response.status, await response.text()]).toEqual([404, 'User not found'])
    }
  })

  test('an admin can change any profile field and the role, together or separately', async () => {
    const id = await makeUser(shop.db, { profile: { allergies: 'Penicillin' } })
    const both = await send('PATCH', id, { firstName: 'Ada', weight: 150.5, isAdmin: true })
    expect(both.status).toBe(200)
    expect(await both.json()).toMatchObject({
      firstName: 'Ada',
      weight: 150.5,
      isAdmin: true,
      allergies: 'Penicillin',
    })
    expect(await (await send('PATCH', id, { isAdmin: false })).json()).toMatchObject({
      firstName: 'Ada',
      isAdmin: false,
    })
    // Repeating the change does nothing and is not audited.
    expect((await send('PATCH', id, { isAdmin: false })).status).toBe(200)
    expect((await logOf(id)).filter((action) => action !== 'profile.read')).toEqual([
      'role.changed',
      'profile.updated',
      'role.changed',
    ])
  })

  test('admins cannot change their own role, so one always remains', async () => {
    const response = await send('PATCH', adminId, { isAdmin: false, firstName: 'Gone' })
    expect([response.status, await response.text()]).toEqual([
      409,
      'You can’t change your own role. Ask another admin.',
    ])
    expect((await send('DELETE', adminId)).status).toBe(409)
    const ownEdit = await send('PATCH', adminId, { isAdmin: true, lastName: 'Still here' })
    expect(await ownEdit.json()).toMatchObject({ isAdmin: true, firstName: 'Zoë', lastName: 'Still here' })
  })

  test('errors come in order: sign-in, admin, unknown key, missing user, field', async () => {
    const id = await makeUser(shop.db)
    const customer = await visit(id)
    expect((await send('PATCH', id, {}, shop.visit())).status).toBe(401)
    expect((await send('PATCH', id, { isAdmin: true }, customer)).status).toBe(403)
    expect((await send('DELETE', id, undefined, customer)).status).toBe(403)
    expect((await send('PATCH', unknownId, { email: 'new@x.example' })).status).toBe(400)
    expect((await send('PATCH', unknownId, { isAdmin: 'yes' })).status).toBe(404)
    for (const [field, value] of [
      ['isAdmin', 'yes'],
      ['isAdmin', null],
      ['weight', '150'],
      ['gender', 'f'],
      ['dateOfBirth', '2099-01-01'],
    ] as const) {
      const response = await send('PATCH', id, { [field]: value })
      expect(response.status, field).toBe(422)
      expect(await response.text()).toContain(field)
    }
  })

  test('a user deleted by an admin disappears from every list', async () => {
    const id = await makeUser(shop.db)
    expect((await send('DELETE', id)).status).toBe(204)
    expect((await send('DELETE', id)).status).toBe(404)
    expect((await admin.get(`/api/users/${id}`)).status).toBe(404)
    expect(await (await admin.get('/api/users')).text()).not.toContain(id)
  })
})
