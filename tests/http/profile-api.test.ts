import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const patch = (visitor: Visitor, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  visitor.request('/api/profile', {
    method: 'PATCH',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

async function signUp(shop: Shop): Promise<{ visitor: Visitor; id: string }> {
  const id = await makeUser(shop.db, { email: 'zoe@customer.example' })
  const visitor = shop.visit()
  await signInAs(visitor, shop.db, id)
  return { visitor, id }
}

const userOf = async (visitor: Visitor): Promise<unknown> => (await visitor.get('/api/auth/user')).json()

eachShop((openShopOf) => {
  const openShop = () => openShopOf({ catalog: 'empty' })

  test('the current user is the whole profile in both naming sets and is not cached', async () => {
    const shop = await openShop()
    const { visitor, id } = await signUp(shop)
    const response = await visitor.get('/api/auth/user')
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('etag')).toBeNull()
    const nothing = Object.fromEntries(
      [
        'profileImageUrl gender dateOfBirth weight cellPhone homePhone currentMedications allergies idDocumentPath',
        'shippingStreet shippingCity shippingState shippingCountry shippingZip',
        'shippingStreetAddress shippingStateProvince shippingZipCode',
        'billingStreet billingCity billingState billingCountry billingZip',
        'billingStreetAddress billingStateProvince billingZipCode',
      ]
        .join(' ')
        .split(' ')
        .map((field) => [field, null]),
    )
    expect(await response.json()).toEqual({
      ...nothing,
      id,
      email: 'zoe@customer.example',
      firstName: 'Zoë',
      lastName: 'O’Hara',
      isAdmin: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
  })

  test('an ID document on file has a path', async () => {
    const shop = await openShop()
    const { visitor, id } = await signUp(shop)
    await shop.db.updateTable('users').set({ idDocumentFileId: 'a file' }).execute()
    expect(await userOf(visitor)).toMatchObject({ idDocumentPath: `/api/users/${id}/id-document` })
  })

  test('a visitor gets 401, also with the cookie of an ended session', async () => {
    const shop = await openShop()
    const { visitor } = await signUp(shop)
    await shop.db.deleteFrom('sessions').execute()
    for (const who of [visitor, shop.visit()]) {
      const answers = [await who.get('/api/auth/user'), await patch(who, { firstName: 'Eve' })]
      for (const answer of answers) {
        expect(answer.status).toBe(401)
        expect(answer.headers.get('cache-control')).toMatch('no-store')
        expect(await answer.text()).toBe('Sign in to continue.')
      }
    }
  })

  test('a PATCH of any subset returns the whole updated user', async () => {
    const shop = await openShop()
    const { visitor } = await signUp(shop)
    const first = await patch(visitor, {
      weight: 146.5,
      dateOfBirth: '1984-03-12',
      gender: 'prefer_not_to_say',
      shippingStreetAddress: '12 Harbour Lane',
      billingZip: '04101',
    })
    expect(first.status).toBe(200)
    expect(first.headers.get('cache-control')).toBe('private, no-store')
    const saved: unknown = await first.json()
    expect(saved).toMatchObject({
      firstName: 'Zoë',
      weight: 146.5,
      dateOfBirth: '1984-03-12',
      gender: 'prefer_not_to_say',
      shippingStreet: '12 Harbour Lane',
      shippingStreetAddress: '12 Harbour Lane',
      billingZip: '04101',
      billingZipCode: '04101',
    })
    expect(await userOf(visitor)).toEqual(saved)
    // An unchanged value under one name does not undo a change under the other.
    await patch(visitor, {
      shippingStreet: '12 Harbour Lane',
      shippingStreetAddress: '3 Mill Road',
      weight: null,
    })
    await patch(visitor, { shippingStreet: '9 Quay', shippingStreetAddress: '3 Mill Road' })
    expect(await userOf(visitor)).toMatchObject({ shippingStreetAddress: '9 Quay', weight: null })
  })

  test('invalid JSON, non-objects and unknown fields are a 400 and change nothing', async () => {
    const shop = await openShop()
    const { visitor } = await signUp(shop)
    const before = await userOf(visitor)
    for (const body of [
      '{"firstName":"Eve","isAdmin":true}',
      '{"firstName":"Eve","id":"x"}',
      '{"firstName":"Eve","email":"eve@customer.example"}',
      '{"firstName":"Eve","__proto__":{"isAdmin":true}}',
      '{"firstName":"Eve","constructor":{}}',
      '{"firstName":"Eve","toString":1}',
      '{"firstName":"Eve","createdAt":"2020-01-01T00:00:00Z"}',
      '{"weight":"abc","hair":"red"}',
      '[]',
      'null',
      '"firstName"',
      '{"firstName":',
      '',
      '\u0000',
    ]) {
      const response = await patch(visitor, body)
      expect(response.status, body).toBe(400)
      expect(response.headers.get('content-type'), body).toBe('text/plain; charset=utf-8')
    }
    const torn = await visitor.request('/api/profile', {
      method: 'PATCH',
      body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      headers: { 'content-type': 'application/json' },
    })
    expect(torn.status).toBe(400)
    expect(await userOf(visitor)).toEqual(before)
  })

  test('an invalid value is a 422 with the field’s wire name and changes nothing', async () => {
    const shop = await openShop()
    const { visitor } = await signUp(shop)
    const before = await userOf(visitor)
    for (const [field, value] of [
      ['weight', 'abc'],
      ['weight', -1],
      ['dateOfBirth', '2999-01-01'],
      ['dateOfBirth', '1984-02-30'],
      ['gender', 'Male'],
      ['cellPhone', 5_550_142],
      ['shippingStateProvince', ['ME']],
      ['billingZip', 'x'.repeat(33)],
      ['currentMedications', 'x'.repeat(5001)],
    ] as const) {
      const response = await patch(visitor, { firstName: 'Eve', [field]: value })
      expect(response.status, field).toBe(422)
      expect(await response.text()).toContain(field)
    }
    expect(await userOf(visitor)).toEqual(before)
  })

  test('checks run in the contract’s order', async () => {
    const shop = await openShop()
    const { visitor } = await signUp(shop)
    const status = async (who: Visitor, init: RequestInit, path = '/api/profile') =>
      (await who.request(path, init)).status
    const xml = { 'content-type': 'application/xml' }
    const foreign = { ...xml, 'sec-fetch-site': 'cross-site' }
    const anonymous = shop.visit()
    expect(await status(anonymous, { method: 'PUT', headers: foreign }, '/api/profil')).toBe(403)
    expect(await status(anonymous, { method: 'PUT', headers: xml }, '/api/profil')).toBe(404)
    expect(await status(anonymous, { method: 'PUT', headers: xml })).toBe(405)
    expect(await status(anonymous, { method: 'PATCH', headers: xml, body: '<' })).toBe(401)
    expect(await status(visitor, { method: 'PATCH', headers: xml, body: '{"a":1}' })).toBe(415)
    expect(await status(visitor, { method: 'PATCH', body: '{"a":1}' })).toBe(415)
    expect(await status(visitor, { method: 'GET' })).toBe(405)
    const huge = { firstName: 'x'.repeat(64 * 1024) }
    expect((await patch(visitor, huge)).status).toBe(413)
    const notAllowed = await visitor.request('/api/profile', { method: 'DELETE' })
    expect(notAllowed.headers.get('allow')).toBe('PATCH')
    expect((await visitor.request('/api/auth/user', { method: 'POST' })).status).toBe(405)
  })
})
