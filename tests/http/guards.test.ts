import { newProductSchema } from '#domain/catalog/product-fields.ts'
import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { findAvailableVariants } from '#tests/support/demo-catalog.ts'
import { isNightly } from '#tests/support/nightly.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { routePaths } from '#tests/support/route-paths.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'
import { guards, open, roles, staff, type Records, type Role, type Row, type Staff } from './guards-table.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** In what the owner stores, so that a leak is found by it. */
const secret = /Quillfeather/i

async function upload(visitor: Visitor): Promise<string> {
  const put = await visitor.request(await requestUploadUrl(visitor), {
    method: 'PUT',
    body: Uint8Array.from(samplePdf('Quillfeather')),
  })
  return ((await put.json()) as { url: string }).url
}

async function requestUploadUrl(visitor: Visitor): Promise<string> {
  const response = await visitor.request('/api/objects/upload', { method: 'POST' })
  return ((await response.json()) as { uploadURL: string }).uploadURL
}

async function addPrescription(visitor: Visitor): Promise<string> {
  const created = await visitor.request('/api/prescriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fileUrl: await upload(visitor), doctorName: 'Dr. Quillfeather' }),
  })
  return ((await created.json()) as { id: string }).id
}

async function createRecords(shop: Shop): Promise<{ records: Records; visitors: Record<Role, Visitor> }> {
  const ids = {
    owner: await makeUser(shop.db, { email: 'quillfeather@customer.example', lastName: 'Quillfeather' }),
    other: await makeUser(shop.db),
    admin: await makeUser(shop.db, { isAdmin: true }),
    pharmacist: await makeUser(shop.db, { roles: ['pharmacist'] }),
    fulfillment: await makeUser(shop.db, { roles: ['fulfillment'] }),
    support: await makeUser(shop.db, { roles: ['support'] }),
    'catalog-manager': await makeUser(shop.db, { roles: ['catalog-manager'] }),
  }
  const visit = async (id: string): Promise<Visitor> => {
    const visitor = shop.visit()
    await signInAs(visitor, shop.db, id)
    return visitor
  }
  const owner = await visit(ids.owner)
  await owner.request('/api/profile/id-document', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ idDocumentURL: await upload(owner) }),
  })
  const [sold, ...others] = await findAvailableVariants(shop.db)
  const records = {
    ids,
    productId: sold.productId,
    variantId: sold.variantId,
    deletedProductIds: [
      ...new Set(others.map(({ productId }) => productId).filter((id) => id !== sold.productId)),
    ],
    order: (
      await placeOrder(shop.db, ids.owner, {
        items: [{ productVariantId: sold.variantId, quantity: 1 }],
        user: { lastName: 'Quillfeather' },
      })
    ).id,
    prescription: await addPrescription(owner),
    secondPrescription: await addPrescription(owner),
    fileUrl: await upload(owner),
    idDocumentUrl: await upload(owner),
    uploadPath: (await requestUploadUrl(owner)).slice(shop.origin.length),
  }
  const visitors = {
    visitor: shop.visit(),
    other: await visit(ids.other),
    admin: await visit(ids.admin),
    pharmacist: await visit(ids.pharmacist),
    fulfillment: await visit(ids.fulfillment),
    support: await visit(ids.support),
    'catalog-manager': await visit(ids['catalog-manager']),
    owner,
  }
  return { records, visitors }
}

/** Every row that the shop stores about the owner. */
const readOwnerRows = async ({ db }: Shop, { ids }: Records) => ({
  user: await db.selectFrom('users').selectAll().where('id', '=', ids.owner).execute(),
  orders: await db.selectFrom('orders').selectAll().orderBy('id').execute(),
  prescriptions: await db.selectFrom('prescriptions').selectAll().orderBy('id').execute(),
  files: await db.selectFrom('files').selectAll().orderBy('id').execute(),
  sessions: await db.selectFrom('sessions').select('id').where('userId', '=', ids.owner).execute(),
})

const placeholder = '019a7c1e-0000-7000-8000-000000000000'

function requestRow(
  shop: Shop,
  role: Role,
  visitor: Visitor,
  name: string,
  row: Row,
  records: Records,
): Promise<Response> {
  const [method = '', path = ''] = name.split(' ')
  const url = row.path?.(records, role) ?? path.replace(/:\w+/g, placeholder).replace('*', 'nowhere')
  if (method === 'GET') return visitor.get(url)
  const body = row.body?.(records) ?? {}
  const isApi = path.startsWith('/api/')
  return visitor.request(url, {
    method,
    headers: {
      origin: shop.origin,
      'content-type': isApi ? 'application/json' : 'application/x-www-form-urlencoded',
    },
    body: isApi ? JSON.stringify(body) : new URLSearchParams(Object.entries(body)).toString(),
  })
}

function expectedFor(role: Role, name: string, { expected, staff: allowed = [] }: Row): string {
  if (typeof expected === 'string') return expected
  if (!isStaff(role)) return expected[role]
  if (allowed.includes(role)) return expected.admin
  return name.includes(' /admin') ? '403' : expected.other
}

const isStaff = (role: Role): role is Staff => staff.some((name) => name === role)

const describeResponse = (response: Response): string =>
  [response.status, response.headers.get('location')].filter(Boolean).join(' ')

test('every route has a row in the table', () => {
  const paths = new Set(Object.keys(guards).map((name) => name.split(' ')[1] ?? ''))
  expect(routePaths.filter((path) => !paths.has(path))).toEqual([])
  expect([...paths].filter((path) => !routePaths.includes(path))).toEqual([])
})

/** The paths that answer other roles, but not visitors. */
const privatePaths = Object.entries(guards).flatMap(([name, { expected }]) =>
  name.startsWith('GET ') && isPrivate(expected) ? [name.slice(4)] : [],
)

function isPrivate(expected: Row['expected']): boolean {
  return (
    typeof expected !== 'string' && expected.visitor !== '200' && new Set(Object.values(expected)).size > 1
  )
}

test('a product’s picture may not have a path that refuses visitors', () => {
  const allowed = privatePaths
    .flatMap((path) => [path, `${path}.data`])
    .filter((image) => newProductSchema.safeParse({ name: 'A', image }).success)
  expect(privatePaths).toContain('/profile')
  expect(allowed).toEqual([])
})

eachShop((openShop, engine) => {
  /**
   * On Postgres the roles of the staff take turns: one of them requests each row. SQLite and the
   * nightly run have every row for every role.
   */
  const requestsRow = (role: Role, at: number): boolean =>
    engine === 'sqlite' || isNightly || !isStaff(role) || staff[at % staff.length] === role

  test(
    'a visitor, another customer, each role of the staff and the owner get the responses in the table',
    { timeout: 120_000 },
    async () => {
      const shop = await openShop()
      const { records, visitors } = await createRecords(shop)
      const before = await readOwnerRows(shop, records)
      const faults: string[] = []
      const leaks: string[] = []
      for (const role of roles) {
        if (role === staff[0]) expect(await readOwnerRows(shop, records)).toEqual(before)
        for (const [at, [name, row]] of Object.entries(guards).entries()) {
          if (!requestsRow(role, at)) continue
          // Everyone gets this response, so the customer's request has shown it.
          if (isStaff(role) && typeof row.expected === 'string') continue
          const response = await requestRow(shop, role, visitors[role], name, row, records)
          const actual = describeResponse(response)
          const expected = expectedFor(role, name, row)
          if (actual !== expected) faults.push(`${role}, ${name}: ${actual}, not ${expected}`)
          const isNotOwner = role === 'visitor' || role === 'other'
          if (isNotOwner && secret.test(await response.text())) leaks.push(`${role}, ${name}`)
        }
      }
      expect(faults).toEqual([])
      expect(leaks).toEqual([])
    },
  )

  test('a method that is not in the table is 405 for all', { timeout: 120_000 }, async () => {
    const shop = await openShop()
    const { records, visitors } = await createRecords(shop)
    const faults: string[] = []
    for (const path of routePaths) {
      const names = methods.map((method) => `${method} ${path}`).filter((name) => !(name in guards))
      for (const name of names) {
        const row = Object.entries(guards).find(([known]) => known.endsWith(` ${path}`))?.[1] ?? open
        for (const role of ['visitor', 'admin'] as const) {
          const actual = describeResponse(await requestRow(shop, role, visitors[role], name, row, records))
          if (actual !== '405') faults.push(`${role}, ${name}: ${actual}`)
        }
      }
    }
    expect(faults).toEqual([])
  })

  test('the data request of a page is guarded like the page', { timeout: 120_000 }, async () => {
    const shop = await openShop()
    const { records, visitors } = await createRecords(shop)
    const faults: string[] = []
    for (const [name, row] of Object.entries(guards)) {
      const [method, path = ''] = name.split(' ')
      if (method !== 'GET' || path.startsWith('/api/')) continue
      const url =
        path === '/' ? '/_root' : (row.path?.(records, 'visitor') ?? path.replace(/:\w+/g, placeholder))
      for (const role of ['visitor', 'other', 'owner'] as const) {
        const response = await visitors[role].get(`${url}.data`)
        const text = await response.text()
        if (response.status >= 500) faults.push(`${role}, ${url}.data: ${response.status}`)
        if (role !== 'owner' && secret.test(text)) faults.push(`${role}, ${url}.data shows the owner`)
        // Proves that the search above can find the owner's name.
        if (role === 'owner' && path === '/profile' && !secret.test(text))
          faults.push('the search does not find the owner')
      }
    }
    expect(faults).toEqual([])
  })
})
