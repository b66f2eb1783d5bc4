import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { addVariant } from '#tests/support/catalog.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

const manufacturerSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  streetAddress: z.string().nullable(),
  city: z.string().nullable(),
  stateProvince: z.string().nullable(),
  country: z.string().nullable(),
  postalCode: z.string().nullable(),
})
const unknownId = '0190a6f2-1b2c-7d3e-8f4a-5b6c7d8e9f0a'

eachShop((openShop) => {
  let shop: Shop
  let admin: Visitor
  beforeAll(async () => {
    shop = await openShop({ catalog: 'empty' })
    admin = shop.visit()
    await signInAs(admin, shop.db, await makeUser(shop.db, { isAdmin: true }))
  })
  const send = (method: string, path: string, body?: unknown, visitor = admin): Promise<Response> =>
    visitor.request(`/api/manufacturers${path}`, {
      method,
      headers: { origin: shop.origin, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const create = async (name: string): Promise<string> => {
    const response = await send('POST', '', { name })
    expect(response.status).toBe(201)
    return manufacturerSchema.parse(await response.json()).id
  }

  test('creates a manufacturer with all fields, updates any of them, and deletes it', async () => {
    const fields = {
      name: ' Acme  Labs ',
      streetAddress: '1 Mill Road',
      city: 'Basel',
      stateProvince: ' ',
      country: 'Switzerland',
      postalCode: null,
    }
    const added = await send('POST', '', fields)
    expect(added.status).toBe(201)
    const { id, ...rest } = manufacturerSchema.parse(await added.json())
    expect(rest).toEqual({ ...fields, name: 'Acme  Labs', stateProvince: null })
    const changed = await send('PATCH', `/${id}`, { city: 'Bern' })
    expect(changed.status).toBe(200)
    expect(manufacturerSchema.parse(await changed.json())).toEqual({ id, ...rest, city: 'Bern' })
    expect((await send('DELETE', `/${id}`)).status).toBe(204)
    expect((await send('DELETE', `/${id}`)).status).toBe(404)
  })

  test('admins get all fields, others only ids and names', async () => {
    const id = await create('Visible Works')
    const all = z.array(manufacturerSchema).parse(await (await admin.get('/api/manufacturers')).json())
    expect(all.find((row) => row.id === id)).toMatchObject({ name: 'Visible Works', city: null })
    const customer = shop.visit()
    await signInAs(customer, shop.db, await makeUser(shop.db))
    for (const visitor of [shop.visit(), customer]) {
      const some: unknown = await (await visitor.get('/api/manufacturers')).json()
      expect(some).toContainEqual({ id, name: 'Visible Works' })
    }
  })

  test('refuses to delete a manufacturer in use; deleted variants do not count', async () => {
    const id = await create('Busy Works')
    const variantId = await addVariant(shop.db, { manufacturerId: id })
    const refused = await send('DELETE', `/${id}`)
    expect([refused.status, await refused.text()]).toEqual([
      409,
      'Failed to delete manufacturer. It may be in use by products.',
    ])
    await shop.db
      .updateTable('productVariants')
      .set({ deletedAt: new Date() })
      .where('id', '=', variantId)
      .execute()
    expect((await send('DELETE', `/${id}`)).status).toBe(204)
  })

  test('an invalid field is 422, and the message names it; errors take precedence in order', async () => {
    const id = await create('First Works')
    await create('Second Works')
    for (const [field, value] of [
      ['name', undefined],
      ['name', ''],
      ['name', null],
      ['name', 7],
      ['name', 'x'.repeat(201)],
      ['name', 'sécond works'],
      ['city', 7],
    ] as const) {
      const response = await send('POST', '', { name: 'New Works', [field]: value })
      expect(response.status, `${field} ${String(value)}`).toBe(422)
      expect(await response.text()).toContain(field)
    }
    expect((await send('PATCH', `/${id}`, { name: 'Second Works' })).status).toBe(422)
    expect((await send('PATCH', `/${unknownId}`, { name: '' })).status).toBe(404)
    expect((await send('PATCH', '/x', { size: 1 })).status).toBe(400)
    expect((await send('POST', '', { name: 'x' }, shop.visit())).status).toBe(401)
    expect((await send('DELETE', `/${id}`, undefined, shop.visit())).status).toBe(401)
    expect((await admin.get(`/api/manufacturers/${id}`)).status).toBe(405)
    expect((await send('PATCH', `/${id}`, {})).status).toBe(200)
  })

  test('lists pharmacies for admins, with the documented license fields', async () => {
    const now = new Date()
    await shop.db
      .insertInto('pharmacies')
      .values({
        id: unknownId,
        name: 'Harbour Pharmacy',
        country: 'Canada',
        licenseNumber: 'BC-1',
        licenseExpiry: '2027-06-30',
        shipsTo: JSON.stringify(['Canada', 'United States']),
        active: true,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    const response = await admin.get('/api/pharmacies')
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(await response.json()).toEqual([
      {
        id: unknownId,
        name: 'Harbour Pharmacy',
        country: 'Canada',
        licenceNumber: 'BC-1',
        licenceExpiry: '2027-06-30',
        shipsTo: ['Canada', 'United States'],
        active: true,
      },
    ])
  })
})
