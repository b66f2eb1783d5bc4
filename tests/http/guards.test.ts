import { makeUser, signInAs } from '#tests/support/accounts.ts'
import { findSold } from '#tests/support/demo-catalog.ts'
import { placeOrder } from '#tests/support/orders.ts'
import { routePaths } from '#tests/support/route-paths.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import { eachShop, type Shop, type Visitor } from '#tests/support/shop.ts'
import { expect, test } from 'vitest'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** In the order in which they come: whoever may change something comes last. */
const roles = ['nobody', 'other', 'admin', 'owner'] as const
type Role = (typeof roles)[number]

/** Things of one customer, whom the others meet. */
type World = {
  ids: Record<Exclude<Role, 'nobody'>, string>
  /** What stands for the parameters of a path, by its place in it. */
  productId: string
  variantId: string
  /** A product of which an admin makes an end. */
  deletedProductId: string
  order: string
  prescription: string
  secondPrescription: string
  /** References of files of the owner's that nothing names yet. */
  fileUrl: string
  idDocumentUrl: string
  /** An upload address that the owner's session asked for, as a path. */
  uploadPath: string
}

/** What each meets: a status, and where a redirect leads. */
type Met = string | { nobody: string; other: string; admin: string; owner: string }
type Row = { met: Met; path?: (world: World) => string; body?: (world: World) => object }

const signedIn = (nobody: string, met: string): Met => ({ nobody, other: met, admin: met, owner: met })
const open: Row = { met: '200' }
const home: Row = { met: '302 /' }
/** A page of the back office. */
const forDesk = (met: string): Row => ({
  met: { nobody: '302 /', other: '302 /', admin: met, owner: '302 /' },
})
const desk: Row = forDesk('200')
/** A form that is sent empty. */
const incomplete: Row = { met: '422' }
const missing: Row = { met: '404' }
const adminsOnly = (met: string): Row => ({ met: { nobody: '401', other: '403', admin: met, owner: '403' } })
const own: Row = { met: signedIn('401', '200') }
const signInFirst = (path: string): string => `303 /api/login?returnTo=${encodeURIComponent(path)}`
/** Somebody who is signed in already is led on. */
const forVisitors = (met: string): Row => ({ met: signedIn(met, '302 /') })

const ofPrescription = ({ prescription }: World) => `/api/prescriptions/${prescription}`

/**
 * What everybody meets at every route and method; a method that is not named is 405 for all. The rows of one path stand in the order
 * in which they are asked. What stands behind `/trpc` is asked for one by one in trpc.test.ts.
 */
const table: Record<string, Row> = {
  'GET /': open,
  'GET /admin': desk,
  'GET /admin/products': desk,
  // Without a file.
  'POST /admin/products/picture': adminsOnly('422'),
  'GET /admin/variants': desk,
  'GET /admin/inventory': desk,
  'GET /admin/variants/import': desk,
  // Without a file; and without saying what is to be done with one.
  'POST /admin/variants/import': forDesk('422'),
  'PUT /admin/variants/import': forDesk('405'),
  'PATCH /admin/variants/import': forDesk('405'),
  'DELETE /admin/variants/import': forDesk('405'),
  'GET /admin/variants/import/:id': forDesk('404'),
  'POST /admin/variants/import/:id': forDesk('400'),
  'PUT /admin/variants/import/:id': forDesk('405'),
  'PATCH /admin/variants/import/:id': forDesk('405'),
  'DELETE /admin/variants/import/:id': forDesk('405'),
  'GET /admin/variants/import/:id/refused.csv': forDesk('404'),
  'GET /admin/manufacturers': desk,
  'GET /admin/manufacturers.csv': desk,
  'GET /admin/variants.csv': desk,
  'GET /admin/products.csv': desk,
  'GET /admin/pharmacies.csv': desk,
  'GET /admin/inventory.csv': desk,
  'GET /admin/ledger.csv': desk,
  // Whom one searches for comes by a form.
  'GET /admin/orders.csv': forDesk('302 /admin/orders'),
  'POST /admin/orders.csv': forDesk('200'),
  'PUT /admin/orders.csv': forDesk('405'),
  'PATCH /admin/orders.csv': forDesk('405'),
  'DELETE /admin/orders.csv': forDesk('405'),
  'GET /admin/users.csv': forDesk('302 /admin/settings'),
  'POST /admin/users.csv': forDesk('200'),
  'PUT /admin/users.csv': forDesk('405'),
  'PATCH /admin/users.csv': forDesk('405'),
  'DELETE /admin/users.csv': forDesk('405'),
  'GET /admin/users/:id': { ...desk, path: ({ ids }) => `/admin/users/${ids.owner}` },
  'GET /admin/settings': desk,
  // Searches by name without scripts.
  'POST /admin/settings': desk,
  'GET /admin/orders': desk,
  // A search without scripts.
  'POST /admin/orders': desk,
  'GET /admin/orders/:id': { ...desk, path: ({ order }) => `/admin/orders/${order}` },
  'GET /admin/orders/:id/packing-slip': {
    ...desk,
    path: ({ order }) => `/admin/orders/${order}/packing-slip`,
  },
  'GET /admin/orders/:id/label': { ...desk, path: ({ order }) => `/admin/orders/${order}/label` },
  'GET /admin/pharmacies': desk,
  'GET /admin/prescriptions': desk,
  'GET /checkout': home,
  // With an empty cart; one whose session has ended signs in first.
  'POST /checkout': { met: signedIn(signInFirst('/checkout'), '302 /') },
  'GET /checkout/verify': { met: signedIn('302 /', '302 /checkout') },
  'POST /checkout/verify': { met: signedIn('302 /', '303 /checkout') },
  'GET /order-confirmation': missing,
  'GET /products': open,
  'GET /products/:id': { ...open, path: ({ productId }) => `/products/${productId}` },
  'POST /products/:id': { ...incomplete, path: ({ productId }) => `/products/${productId}` },
  'GET /orders': open,
  'GET /orders/:id': {
    met: { nobody: '404', other: '404', admin: '404', owner: '200' },
    path: ({ order }) => `/orders/${order}`,
  },
  'GET /prescriptions': open,
  'GET /prescriptions/upload': open,
  // Without a file; before that it is asked for the ID document.
  'POST /prescriptions/upload': { met: { nobody: '401', other: '409', admin: '409', owner: '422' } },
  'GET /brands': open,
  'GET /contact': open,
  'POST /contact': incomplete,
  'GET /faq': open,
  'GET /shipping': open,
  'GET /privacy': open,
  'GET /terms': open,
  'GET /hipaa': open,
  'GET /about': open,
  'GET /careers': open,
  'GET /blog': open,
  'GET /profile': { met: signedIn('302 /', '200') },
  'POST /profile': { met: signedIn('401', '303 /profile') },
  'GET /order-history': { met: signedIn('302 /', '200') },
  'GET /account/security': { met: signedIn(signInFirst('/account/security'), '200') },
  'POST /account/security': { met: signedIn(signInFirst('/account/security'), '400') },
  'PUT /account/security': { met: signedIn(signInFirst('/account/security'), '405') },
  'PATCH /account/security': { met: signedIn(signInFirst('/account/security'), '405') },
  'DELETE /account/security': { met: signedIn(signInFirst('/account/security'), '405') },
  'GET /account/confirm-new-email': {
    met: signedIn(signInFirst('/account/confirm-new-email?token='), '200'),
  },
  'POST /account/confirm-new-email': {
    met: signedIn(signInFirst('/account/confirm-new-email?token='), '404'),
  },
  'GET /account/activity': { met: signedIn(signInFirst('/account/activity'), '200') },
  'GET /account/download': { met: '302 /account/activity' },
  'POST /account/download': { met: signedIn(signInFirst('/account/activity'), '200') },
  'PUT /account/download': { met: signedIn(signInFirst('/account/activity'), '405') },
  'PATCH /account/download': { met: signedIn(signInFirst('/account/activity'), '405') },
  'DELETE /account/download': { met: signedIn(signInFirst('/account/activity'), '405') },
  'GET /account/delete': { met: signedIn(signInFirst('/account/delete'), '200') },
  // Sent without a proof; an admin cannot at all.
  'POST /account/delete': {
    met: { nobody: signInFirst('/account/delete'), other: '422', admin: '409', owner: '422' },
  },
  'PUT /account/delete': { met: signedIn(signInFirst('/account/delete'), '405') },
  'PATCH /account/delete': { met: signedIn(signInFirst('/account/delete'), '405') },
  'DELETE /account/delete': { met: signedIn(signInFirst('/account/delete'), '405') },
  'GET /profile/id-document': { met: '302 /profile' },
  'POST /profile/id-document': { met: signedIn('303 /', '303 /profile#id-document-verification') },
  'PUT /profile/id-document': { met: signedIn('303 /', '405') },
  'PATCH /profile/id-document': { met: signedIn('303 /', '405') },
  'DELETE /profile/id-document': { met: signedIn('303 /', '405') },
  'GET /login': forVisitors('200'),
  'POST /login': forVisitors('422'),
  'GET /login/callback': missing,
  'GET /register': forVisitors('200'),
  'POST /register': forVisitors('422'),
  'GET /forgot-password': open,
  'POST /forgot-password': incomplete,
  'GET /reset-password': missing,
  'POST /reset-password': incomplete,
  'GET /confirm-email': missing,
  'POST /confirm-email': incomplete,
  'GET /login/verify': forVisitors('303 /login'),
  'POST /login/verify': { met: '303 /login' },
  'GET /cart': open,
  'POST /cart': incomplete,
  'GET /theme': missing,
  'POST /theme': incomplete,
  'GET /search/suggestions': open,
  'GET /search/manufacturers': open,
  'GET /img/v/:file': missing,
  'GET /img/p/:file': missing,

  'GET /api/auth/user': own,
  'PATCH /api/profile': { ...own, body: () => ({ weight: 150 }) },
  'PUT /api/profile/id-document': {
    met: { nobody: '401', other: '422', admin: '422', owner: '200' },
    body: ({ idDocumentUrl }) => ({ idDocumentURL: idDocumentUrl }),
  },
  'GET /api/users/:id/id-document': {
    met: { nobody: '401', other: '404', admin: '200', owner: '200' },
    path: ({ ids }) => `/api/users/${ids.owner}/id-document`,
  },
  'GET /api/shipping-addresses': own,
  'GET /api/login': { met: '302 /login' },
  'GET /api/products': open,
  'GET /api/products/search': open,
  'GET /api/products/:id': { ...open, path: ({ productId }) => `/api/products/${productId}` },
  'POST /api/products': adminsOnly('422'),
  'PATCH /api/products/:id': {
    ...adminsOnly('200'),
    path: ({ productId }) => `/api/products/${productId}`,
  },
  'DELETE /api/products/:id': {
    ...adminsOnly('204'),
    path: ({ deletedProductId }) => `/api/products/${deletedProductId}`,
  },
  'GET /api/product-variants': open,
  'POST /api/product-variants': adminsOnly('422'),
  'PATCH /api/product-variants/:id': {
    ...adminsOnly('200'),
    path: ({ variantId }) => `/api/product-variants/${variantId}`,
  },
  'GET /api/manufacturers': open,
  'POST /api/manufacturers': adminsOnly('422'),
  // One that is not there: nobody else learns that.
  'PATCH /api/manufacturers/:id': adminsOnly('404'),
  'DELETE /api/manufacturers/:id': adminsOnly('404'),
  'GET /api/pharmacies': adminsOnly('200'),
  'GET /api/users': adminsOnly('200'),
  'GET /api/users/:id': {
    met: { nobody: '401', other: '404', admin: '200', owner: '200' },
    path: ({ ids }) => `/api/users/${ids.owner}`,
  },
  'PATCH /api/users/:id': { ...adminsOnly('200'), path: ({ ids }) => `/api/users/${ids.owner}` },
  'DELETE /api/users/:id': adminsOnly('404'),
  'GET /api/inventory/transactions': adminsOnly('200'),
  'GET /api/inventory/variant/:variantId': {
    ...adminsOnly('200'),
    path: ({ variantId }) => `/api/inventory/variant/${variantId}`,
  },
  'POST /api/inventory/adjust': {
    ...adminsOnly('200'),
    body: ({ variantId }) => ({ variantId, quantityChange: 1, transactionType: 'adjustment' }),
  },
  'POST /api/objects/upload': own,
  'PUT /api/objects/upload/:ticket': {
    met: { nobody: '401', other: '404', admin: '404', owner: '415' },
    path: ({ uploadPath }) => uploadPath,
  },
  'GET /api/prescriptions': own,
  'POST /api/prescriptions': {
    met: { nobody: '401', other: '422', admin: '422', owner: '201' },
    body: ({ fileUrl }) => ({ fileUrl }),
  },
  'GET /api/prescriptions/:id/file': {
    met: { nobody: '401', other: '404', admin: '200', owner: '200' },
    path: (world) => `${ofPrescription(world)}/file`,
  },
  'GET /api/prescriptions/order/:orderId': {
    met: { nobody: '401', other: '404', admin: '200', owner: '200' },
    path: ({ order }) => `/api/prescriptions/order/${order}`,
  },
  'POST /api/create-payment-intent': { met: signedIn('401', '422') },
  // Sent as a form.
  'POST /demo-payments/confirm': { met: '415' },
  'POST /demo-payments/complete': { met: '415' },
  'GET /api/orders': adminsOnly('200'),
  'POST /api/orders': { met: signedIn('401', '422') },
  'GET /api/orders/user': own,
  'GET /api/orders/user/:userId': {
    met: { nobody: '401', other: '404', admin: '200', owner: '200' },
    path: ({ ids }) => `/api/orders/user/${ids.owner}`,
  },
  'GET /api/orders/:id': {
    met: { nobody: '401', other: '404', admin: '200', owner: '200' },
    path: ({ order }) => `/api/orders/${order}`,
  },
  'PATCH /api/orders/:id': {
    ...adminsOnly('200'),
    path: ({ order }) => `/api/orders/${order}`,
    body: () => ({ carrier: 'UPS' }),
  },
  'GET /api/prescriptions/user/:userId': {
    met: { nobody: '401', other: '403', admin: '200', owner: '403' },
    path: ({ ids }) => `/api/prescriptions/user/${ids.owner}`,
  },
  'PATCH /api/prescriptions/:id': {
    met: { nobody: '401', other: '403', admin: '200', owner: '403' },
    path: ofPrescription,
    body: () => ({ status: 'approved' }),
  },
  'DELETE /api/prescriptions/:id': {
    met: { nobody: '401', other: '404', admin: '403', owner: '204' },
    path: ofPrescription,
  },
  'GET /api/*': missing,
  'POST /api/*': missing,
  'PUT /api/*': missing,
  'PATCH /api/*': missing,
  'DELETE /api/*': missing,

  // Nobody needs to be known there: the signature counts, and with demo payments there is none.
  'GET /trpc/*': { ...adminsOnly('200'), path: () => '/trpc/manufacturers.list?input={}' },
  // A form's fields are no call.
  'POST /trpc/*': { met: '415', path: () => '/trpc/manufacturers.create' },
  'POST /webhooks/stripe': missing,

  'GET /demo/outbox': open,
  'GET /healthz': open,
  'GET /readyz': open,
  'GET /robots.txt': open,
  'GET /sitemap.xml': open,
  'GET /sitemaps/:file': missing,
  'GET /*': missing,

  'POST /orders/:id': {
    met: {
      nobody: '303 /api/login?returnTo=%2Forders%2F019a7c1e-0000-7000-8000-000000000000',
      other: '404',
      admin: '404',
      owner: '404',
    },
    body: () => ({ intent: 'again' }),
  },
  'PUT /orders/:id': {
    met: signedIn('303 /api/login?returnTo=%2Forders%2F019a7c1e-0000-7000-8000-000000000000', '405'),
  },
  'PATCH /orders/:id': {
    met: signedIn('303 /api/login?returnTo=%2Forders%2F019a7c1e-0000-7000-8000-000000000000', '405'),
  },
  'DELETE /orders/:id': {
    met: signedIn('303 /api/login?returnTo=%2Forders%2F019a7c1e-0000-7000-8000-000000000000', '405'),
  },
  // Every outcome leads back to the list; what became of it shows the comparison of the rows.
  'POST /prescriptions': {
    met: '303 /prescriptions',
    body: ({ secondPrescription }) => ({ intent: 'delete', id: secondPrescription }),
  },
  'POST /api/logout': { met: '303 /' },
  'GET /api/logout': home,
}

const secret = /Quillfeather/i

async function upload(visitor: Visitor): Promise<string> {
  const put = await visitor.request(await askForAddress(visitor), {
    method: 'PUT',
    body: Uint8Array.from(samplePdf('Quillfeather')),
  })
  return ((await put.json()) as { url: string }).url
}

async function askForAddress(visitor: Visitor): Promise<string> {
  const asked = await visitor.request('/api/objects/upload', { method: 'POST' })
  return ((await asked.json()) as { uploadURL: string }).uploadURL
}

async function addPrescription(visitor: Visitor): Promise<string> {
  const created = await visitor.request('/api/prescriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fileUrl: await upload(visitor), doctorName: 'Dr. Quillfeather' }),
  })
  return ((await created.json()) as { id: string }).id
}

async function makeWorld(shop: Shop): Promise<{ world: World; visitors: Record<Role, Visitor> }> {
  const ids = {
    owner: await makeUser(shop.db, { email: 'quillfeather@customer.example', lastName: 'Quillfeather' }),
    other: await makeUser(shop.db),
    admin: await makeUser(shop.db, { isAdmin: true }),
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
  const [sold, ...others] = await findSold(shop.db)
  const world = {
    ids,
    productId: sold.productId,
    variantId: sold.variantId,
    deletedProductId: others.find(({ productId }) => productId !== sold.productId)?.productId ?? '',
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
    uploadPath: (await askForAddress(owner)).slice(shop.origin.length),
  }
  const visitors = {
    nobody: shop.visit(),
    other: await visit(ids.other),
    admin: await visit(ids.admin),
    owner,
  }
  return { world, visitors }
}

/** Everything that the shop holds of the owner. */
const ownersRows = async ({ db }: Shop, { ids }: World) => ({
  user: await db.selectFrom('users').selectAll().where('id', '=', ids.owner).execute(),
  orders: await db.selectFrom('orders').selectAll().orderBy('id').execute(),
  prescriptions: await db.selectFrom('prescriptions').selectAll().orderBy('id').execute(),
  files: await db.selectFrom('files').selectAll().orderBy('id').execute(),
  sessions: await db.selectFrom('sessions').select('id').where('userId', '=', ids.owner).execute(),
})

const placeholder = '019a7c1e-0000-7000-8000-000000000000'

function ask(shop: Shop, visitor: Visitor, name: string, row: Row, world: World): Promise<Response> {
  const [method = '', path = ''] = name.split(' ')
  const url = row.path?.(world) ?? path.replace(/:\w+/g, placeholder).replace('*', 'nowhere')
  if (method === 'GET') return visitor.get(url)
  const body = row.body?.(world) ?? {}
  const isCall = path.startsWith('/api/')
  return visitor.request(url, {
    method,
    headers: {
      origin: shop.origin,
      'content-type': isCall ? 'application/json' : 'application/x-www-form-urlencoded',
    },
    body: isCall ? JSON.stringify(body) : new URLSearchParams(Object.entries(body)).toString(),
  })
}

const describeMet = (response: Response): string =>
  [response.status, response.headers.get('location')].filter(Boolean).join(' ')

test('every route has a row that says what everybody meets there', () => {
  const paths = new Set(Object.keys(table).map((name) => name.split(' ')[1] ?? ''))
  expect(routePaths.filter((path) => !paths.has(path))).toEqual([])
  expect([...paths].filter((path) => !routePaths.includes(path))).toEqual([])
})

eachShop((openShop) => {
  test(
    'nobody, another customer, an admin and the owner meet what the table says',
    { timeout: 120_000 },
    async () => {
      const shop = await openShop()
      const { world, visitors } = await makeWorld(shop)
      const before = await ownersRows(shop, world)
      const otherwise: string[] = []
      const shown: string[] = []
      for (const role of roles) {
        if (role === 'admin') expect(await ownersRows(shop, world)).toEqual(before)
        for (const [name, row] of Object.entries(table)) {
          const response = await ask(shop, visitors[role], name, row, world)
          const met = describeMet(response)
          const expected = typeof row.met === 'string' ? row.met : row.met[role]
          if (met !== expected) otherwise.push(`${role}, ${name}: ${met}, not ${expected}`)
          const isForeign = role === 'nobody' || role === 'other'
          if (isForeign && secret.test(await response.text())) shown.push(`${role}, ${name}`)
        }
      }
      expect(otherwise).toEqual([])
      expect(shown).toEqual([])
    },
  )

  test('a method that the table does not name is 405 for all', { timeout: 120_000 }, async () => {
    const shop = await openShop()
    const { world, visitors } = await makeWorld(shop)
    const otherwise: string[] = []
    for (const path of routePaths) {
      const names = methods.map((method) => `${method} ${path}`).filter((name) => !(name in table))
      for (const name of names) {
        const row = Object.entries(table).find(([known]) => known.endsWith(` ${path}`))?.[1] ?? open
        for (const role of ['nobody', 'admin'] as const) {
          const met = describeMet(await ask(shop, visitors[role], name, row, world))
          if (met !== '405') otherwise.push(`${role}, ${name}: ${met}`)
        }
      }
    }
    expect(otherwise).toEqual([])
  })

  test('the data of a page, asked for alone, is guarded like the page', { timeout: 120_000 }, async () => {
    const shop = await openShop()
    const { world, visitors } = await makeWorld(shop)
    const wrong: string[] = []
    for (const [name, row] of Object.entries(table)) {
      const [method, path = ''] = name.split(' ')
      if (method !== 'GET' || path.startsWith('/api/')) continue
      const url = path === '/' ? '/_root' : (row.path?.(world) ?? path.replace(/:\w+/g, placeholder))
      for (const role of ['nobody', 'other', 'owner'] as const) {
        const response = await visitors[role].get(`${url}.data`)
        const text = await response.text()
        if (response.status >= 500) wrong.push(`${role}, ${url}.data: ${response.status}`)
        if (role !== 'owner' && secret.test(text)) wrong.push(`${role}, ${url}.data shows the owner`)
        // Otherwise the search above would find nothing whatever was shown.
        if (role === 'owner' && path === '/profile' && !secret.test(text))
          wrong.push('the owner is not found')
      }
    }
    expect(wrong).toEqual([])
  })
})
