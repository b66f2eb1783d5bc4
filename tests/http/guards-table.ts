/** The roles of the staff apart from the admin. */
export const staff = ['pharmacist', 'fulfillment', 'support', 'catalog-manager'] as const
export type Staff = (typeof staff)[number]
/** In the order of their requests: the roles that may change something come last. */
export const roles = ['visitor', 'other', ...staff, 'admin', 'owner'] as const
export type Role = (typeof roles)[number]
type NamedRole = Exclude<Role, Staff>

/** The records of one customer, the owner, that every role requests. */
export type Records = {
  ids: Record<Exclude<Role, 'visitor'>, string>
  productId: string
  variantId: string
  /** Products that the catalog manager and the admin delete. */
  deletedProductIds: readonly string[]
  order: string
  prescription: string
  secondPrescription: string
  /** Files that the owner uploaded and no record uses yet. */
  fileUrl: string
  idDocumentUrl: string
  /** The path of an upload ticket that belongs to the owner's session. */
  uploadPath: string
}

/** The expected response, for all roles or for each: a status, and the target of a redirect. */
type Expected = string | Record<NamedRole, string>
export type Row = {
  expected: Expected
  /**
   * The staff who get the admin's response. Other staff get a 403 in the back office, and elsewhere
   * what any customer gets.
   */
  staff?: readonly Staff[]
  path?: (records: Records, role: Role) => string
  body?: (records: Records) => object
}

const signedIn = (visitor: string, expected: string): Expected => ({
  visitor,
  other: expected,
  admin: expected,
  owner: expected,
})
export const open: Row = { expected: '200' }
const home: Row = { expected: '302 /' }
/** A page of the back office. */
const backOfficeReply = (expected: string): Row => ({
  expected: { visitor: '302 /', other: '302 /', admin: expected, owner: '302 /' },
})
const backOffice: Row = backOfficeReply('200')
/** A back-office page that staff of these roles may open too. */
const openTo = (...staff: Staff[]): Row => ({ ...backOffice, staff })
const catalogReply = (expected: string): Row => ({ ...backOfficeReply(expected), staff: ['catalog-manager'] })
const catalogApi = (expected: string): Row => ({ ...adminsOnly(expected), staff: ['catalog-manager'] })
/** An empty form. */
const emptyForm: Row = { expected: '422' }
const missing: Row = { expected: '404' }
const adminsOnly = (expected: string): Row => ({
  expected: { visitor: '401', other: '403', admin: expected, owner: '403' },
})
const signedInOnly: Row = { expected: signedIn('401', '200') }
const signInFirst = (path: string): string => `303 /api/login?returnTo=${encodeURIComponent(path)}`
/** A signed-in user is redirected home. */
const forVisitors = (expected: string): Row => ({ expected: signedIn(expected, '302 /') })

/** The label or leaflet of a line that the order does not have. */
const ofLine = (sheet: string, expected: string): Row => ({
  ...backOfficeReply(expected),
  staff: ['pharmacist', 'fulfillment'],
  path: ({ order }) => `/admin/orders/${order}/${sheet}/x`,
})

/** A lot that does not exist. */
const ofLot = (expected: string): Row => ({
  ...backOfficeReply(expected),
  staff: ['pharmacist', 'fulfillment', 'catalog-manager'],
})

const ofOrder = (expected: string): Row => ({
  ...backOfficeReply(expected),
  staff: ['pharmacist', 'fulfillment', 'support'],
  path: ({ order }) => `/admin/orders/${order}`,
})

const ofOrderLots = (expected: string): Row => ({
  ...backOfficeReply(expected),
  staff: ['pharmacist', 'fulfillment'],
  path: ({ order }) => `/admin/orders/${order}/lots`,
})

const ofPrescription = ({ prescription }: Records) => `/api/prescriptions/${prescription}`

/**
 * The expected response for each role, route and method. A method without a row is 405 for all.
 * Rows of one path are requested in this order. `trpc.test.ts` covers the procedures behind
 * `/trpc`.
 */
export const guards: Record<string, Row> = {
  'GET /': open,
  'GET /admin': openTo(...staff),
  'GET /admin/products': openTo('catalog-manager'),
  // Without a file.
  'POST /admin/products/picture': catalogApi('422'),
  'GET /admin/variants': openTo('catalog-manager'),
  'GET /admin/inventory': openTo('pharmacist', 'fulfillment', 'catalog-manager'),
  'GET /admin/inventory/lots': openTo('pharmacist', 'fulfillment', 'catalog-manager'),
  'POST /admin/inventory/lots': catalogReply('422'),
  'PUT /admin/inventory/lots': catalogReply('405'),
  'PATCH /admin/inventory/lots': catalogReply('405'),
  'DELETE /admin/inventory/lots': catalogReply('405'),
  'GET /admin/inventory/lots/:id': ofLot('404'),
  // Without an intent. The use cases check more (tests/server/lots.test.ts).
  'POST /admin/inventory/lots/:id': ofLot('400'),
  'PUT /admin/inventory/lots/:id': ofLot('405'),
  'PATCH /admin/inventory/lots/:id': ofLot('405'),
  'DELETE /admin/inventory/lots/:id': ofLot('405'),
  'GET /admin/variants/import': openTo('catalog-manager'),
  // Without a file; below, without an intent.
  'POST /admin/variants/import': catalogReply('422'),
  'PUT /admin/variants/import': catalogReply('405'),
  'PATCH /admin/variants/import': catalogReply('405'),
  'DELETE /admin/variants/import': catalogReply('405'),
  'GET /admin/variants/import/:id': catalogReply('404'),
  'POST /admin/variants/import/:id': catalogReply('400'),
  'PUT /admin/variants/import/:id': catalogReply('405'),
  'PATCH /admin/variants/import/:id': catalogReply('405'),
  'DELETE /admin/variants/import/:id': catalogReply('405'),
  'GET /admin/variants/import/:id/refused.csv': catalogReply('404'),
  'GET /admin/manufacturers': openTo('catalog-manager'),
  'GET /admin/manufacturers.csv': openTo('catalog-manager'),
  'GET /admin/variants.csv': openTo('catalog-manager'),
  'GET /admin/products.csv': openTo('catalog-manager'),
  'GET /admin/pharmacies.csv': backOffice,
  'GET /admin/inventory.csv': openTo('pharmacist', 'fulfillment', 'catalog-manager'),
  'GET /admin/ledger.csv': openTo('pharmacist', 'fulfillment', 'catalog-manager'),
  // A form sends the search, so names stay out of URLs.
  'GET /admin/orders.csv': backOfficeReply('302 /admin/orders'),
  'POST /admin/orders.csv': backOfficeReply('200'),
  'PUT /admin/orders.csv': backOfficeReply('405'),
  'PATCH /admin/orders.csv': backOfficeReply('405'),
  'DELETE /admin/orders.csv': backOfficeReply('405'),
  'GET /admin/users.csv': backOfficeReply('302 /admin/settings'),
  'POST /admin/users.csv': backOfficeReply('200'),
  'PUT /admin/users.csv': backOfficeReply('405'),
  'PATCH /admin/users.csv': backOfficeReply('405'),
  'DELETE /admin/users.csv': backOfficeReply('405'),
  'GET /admin/users/:id': {
    ...openTo('pharmacist', 'support'),
    path: ({ ids }) => `/admin/users/${ids.owner}`,
  },
  // Without a reason.
  'POST /admin/users/:id': { ...backOfficeReply('422'), staff: ['pharmacist'] },
  'PUT /admin/users/:id': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'PATCH /admin/users/:id': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'DELETE /admin/users/:id': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'GET /admin/settings': openTo('support'),
  // A search by name without scripts.
  'POST /admin/settings': openTo('support'),
  'GET /admin/settings/shop': backOffice,
  // Without an intent.
  'POST /admin/settings/shop': backOfficeReply('400'),
  'PUT /admin/settings/shop': backOfficeReply('405'),
  'PATCH /admin/settings/shop': backOfficeReply('405'),
  'DELETE /admin/settings/shop': backOfficeReply('405'),
  'GET /admin/orders': openTo('pharmacist', 'fulfillment', 'support'),
  // A search without scripts.
  'POST /admin/orders': openTo('pharmacist', 'fulfillment', 'support'),
  'GET /admin/orders/:id': ofOrder('200'),
  // Without a status.
  'POST /admin/orders/:id': ofOrder('422'),
  'PUT /admin/orders/:id': ofOrder('405'),
  'PATCH /admin/orders/:id': ofOrder('405'),
  'DELETE /admin/orders/:id': ofOrder('405'),
  'GET /admin/orders/:id/lots': ofOrderLots('200'),
  'POST /admin/orders/:id/lots': ofOrderLots('422'),
  'PUT /admin/orders/:id/lots': ofOrderLots('405'),
  'PATCH /admin/orders/:id/lots': ofOrderLots('405'),
  'DELETE /admin/orders/:id/lots': ofOrderLots('405'),
  'GET /admin/orders/:id/packing-slip': {
    ...openTo('pharmacist', 'fulfillment', 'support'),
    path: ({ order }) => `/admin/orders/${order}/packing-slip`,
  },
  'GET /admin/orders/:id/label': {
    ...openTo('pharmacist', 'fulfillment', 'support'),
    path: ({ order }) => `/admin/orders/${order}/label`,
  },
  // Orders of the demo catalog without a prescription line.
  'GET /admin/orders/:id/labels/:lineId': ofLine('labels', '404'),
  // An empty form. A complete one needs a licensed pharmacist (tests/server/labels.test.ts).
  'POST /admin/orders/:id/labels/:lineId': ofLine('labels', '422'),
  'PUT /admin/orders/:id/labels/:lineId': ofLine('labels', '405'),
  'PATCH /admin/orders/:id/labels/:lineId': ofLine('labels', '405'),
  'DELETE /admin/orders/:id/labels/:lineId': ofLine('labels', '405'),
  'GET /admin/orders/:id/leaflet/:lineId': ofLine('leaflet', '404'),
  // No item has this number.
  'GET /admin/prescriptions/items/:itemId/request': { ...backOfficeReply('404'), staff: ['pharmacist'] },
  'GET /admin/prescriptions/items/:itemId/transfer': { ...backOfficeReply('404'), staff: ['pharmacist'] },
  'GET /admin/pharmacies': backOffice,
  'GET /admin/prescriptions': openTo('pharmacist'),
  // Without an intent.
  'POST /admin/prescriptions': { ...backOfficeReply('400'), staff: ['pharmacist'] },
  'PUT /admin/prescriptions': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'PATCH /admin/prescriptions': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'DELETE /admin/prescriptions': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'GET /admin/alerts': openTo('pharmacist'),
  // Without a rule.
  'POST /admin/alerts': backOfficeReply('422'),
  'PUT /admin/alerts': backOfficeReply('405'),
  'PATCH /admin/alerts': backOfficeReply('405'),
  'DELETE /admin/alerts': backOfficeReply('405'),
  'GET /admin/messages': openTo('pharmacist'),
  'GET /admin/messages/:id': {
    ...openTo('pharmacist'),
    path: ({ order }) => `/admin/messages/${order}`,
  },
  // Without an intent.
  'POST /admin/messages/:id': { ...backOfficeReply('400'), staff: ['pharmacist'] },
  'PUT /admin/messages/:id': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'PATCH /admin/messages/:id': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'DELETE /admin/messages/:id': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'GET /admin/records': openTo('pharmacist'),
  'GET /admin/status': backOffice,
  'GET /admin/audit': backOffice,
  'GET /admin/api': backOffice,
  'GET /admin/api/keys': backOffice,
  // Without an intent.
  'POST /admin/api/keys': backOfficeReply('400'),
  'PUT /admin/api/keys': backOfficeReply('405'),
  'PATCH /admin/api/keys': backOfficeReply('405'),
  'DELETE /admin/api/keys': backOfficeReply('405'),
  'GET /admin/api/webhooks': backOffice,
  // Without an intent.
  'POST /admin/api/webhooks': backOfficeReply('400'),
  'PUT /admin/api/webhooks': backOfficeReply('405'),
  'PATCH /admin/api/webhooks': backOfficeReply('405'),
  'DELETE /admin/api/webhooks': backOfficeReply('405'),
  'GET /admin/screening/lists': openTo('pharmacist', 'catalog-manager'),
  'GET /admin/screening/recalls': openTo('pharmacist', 'catalog-manager'),
  'GET /admin/screening/recalls/new': backOffice,
  // Without an intent.
  'POST /admin/screening/recalls/new': backOfficeReply('400'),
  'PUT /admin/screening/recalls/new': backOfficeReply('405'),
  'PATCH /admin/screening/recalls/new': backOfficeReply('405'),
  'DELETE /admin/screening/recalls/new': backOfficeReply('405'),
  // No list has this recall. The use cases check more (tests/server/recalls.test.ts).
  'GET /admin/screening/recalls/:id': { ...backOfficeReply('404'), staff: ['pharmacist', 'catalog-manager'] },
  'POST /admin/screening/recalls/:id': {
    ...backOfficeReply('422'),
    staff: ['pharmacist', 'catalog-manager'],
  },
  'PUT /admin/screening/recalls/:id': { ...backOfficeReply('405'), staff: ['pharmacist', 'catalog-manager'] },
  'PATCH /admin/screening/recalls/:id': {
    ...backOfficeReply('405'),
    staff: ['pharmacist', 'catalog-manager'],
  },
  'DELETE /admin/screening/recalls/:id': {
    ...backOfficeReply('405'),
    staff: ['pharmacist', 'catalog-manager'],
  },
  'GET /admin/screening/import': backOffice,
  // Without a file; below, without an intent.
  'POST /admin/screening/import': backOfficeReply('422'),
  'PUT /admin/screening/import': backOfficeReply('405'),
  'PATCH /admin/screening/import': backOfficeReply('405'),
  'DELETE /admin/screening/import': backOfficeReply('405'),
  'GET /admin/screening/import/:id': backOfficeReply('404'),
  'POST /admin/screening/import/:id': backOfficeReply('400'),
  'PUT /admin/screening/import/:id': backOfficeReply('405'),
  'PATCH /admin/screening/import/:id': backOfficeReply('405'),
  'DELETE /admin/screening/import/:id': backOfficeReply('405'),
  'GET /admin/screening/reports': openTo('pharmacist'),
  // Without an intent.
  'POST /admin/screening/reports': { ...backOfficeReply('400'), staff: ['pharmacist'] },
  'PUT /admin/screening/reports': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'PATCH /admin/screening/reports': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'DELETE /admin/screening/reports': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'GET /admin/screening/needs': openTo('pharmacist'),
  // Without a row.
  'POST /admin/screening/needs': { ...backOfficeReply('422'), staff: ['pharmacist'] },
  'PUT /admin/screening/needs': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'PATCH /admin/screening/needs': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'DELETE /admin/screening/needs': { ...backOfficeReply('405'), staff: ['pharmacist'] },
  'GET /admin/screening/names': openTo('catalog-manager'),
  // Without an intent.
  'POST /admin/screening/names': catalogReply('400'),
  'PUT /admin/screening/names': catalogReply('405'),
  'PATCH /admin/screening/names': catalogReply('405'),
  'DELETE /admin/screening/names': catalogReply('405'),
  // No record has this order number.
  'GET /admin/records/:id/file': { ...backOfficeReply('404'), staff: ['pharmacist'] },
  'GET /checkout': home,
  // With an empty cart. A visitor whose session has ended signs in first.
  'POST /checkout': { expected: signedIn(signInFirst('/checkout'), '302 /') },
  'GET /checkout/verify': { expected: signedIn('302 /', '302 /checkout') },
  'POST /checkout/verify': { expected: signedIn('302 /', '303 /checkout') },
  'GET /order-confirmation': missing,
  'GET /products': open,
  'GET /products/:id': { ...open, path: ({ productId }) => `/products/${productId}` },
  'POST /products/:id': { ...emptyForm, path: ({ productId }) => `/products/${productId}` },
  'GET /orders': open,
  'GET /orders/:id': {
    expected: { visitor: '404', other: '404', admin: '404', owner: '200' },
    path: ({ order }) => `/orders/${order}`,
  },
  'GET /prescriptions': open,
  'GET /prescriptions/upload': open,
  // No item has this number.
  'GET /prescriptions/items/:itemId/request': {
    expected: signedIn(signInFirst('/prescriptions/items/x/request'), '404'),
    path: () => '/prescriptions/items/x/request',
  },
  // Without a file. The ID document is checked first.
  'POST /prescriptions/upload': { expected: { visitor: '401', other: '409', admin: '409', owner: '422' } },
  'GET /brands': open,
  'GET /contact': open,
  'POST /contact': emptyForm,
  'GET /faq': open,
  'GET /shipping': open,
  'GET /privacy': open,
  'GET /terms': open,
  'GET /hipaa': open,
  'GET /how-we-check': open,
  'GET /about': open,
  'GET /careers': open,
  'GET /blog': open,
  'GET /profile': { expected: signedIn('302 /', '200') },
  'POST /profile': { expected: signedIn('401', '303 /profile') },
  'GET /order-history': { expected: signedIn('302 /', '200') },
  'GET /account/security': { expected: signedIn(signInFirst('/account/security'), '200') },
  'POST /account/security': { expected: signedIn(signInFirst('/account/security'), '400') },
  'PUT /account/security': { expected: signedIn(signInFirst('/account/security'), '405') },
  'PATCH /account/security': { expected: signedIn(signInFirst('/account/security'), '405') },
  'DELETE /account/security': { expected: signedIn(signInFirst('/account/security'), '405') },
  'GET /account/confirm-code': { expected: signedIn(signInFirst('/account/confirm-code'), '200') },
  'POST /account/confirm-code': { expected: signedIn(signInFirst('/account/confirm-code'), '422') },
  'PUT /account/confirm-code': { expected: signedIn(signInFirst('/account/confirm-code'), '405') },
  'PATCH /account/confirm-code': { expected: signedIn(signInFirst('/account/confirm-code'), '405') },
  'DELETE /account/confirm-code': { expected: signedIn(signInFirst('/account/confirm-code'), '405') },
  'GET /account/confirm-new-email': {
    expected: signedIn(signInFirst('/account/confirm-new-email?token='), '200'),
  },
  'POST /account/confirm-new-email': {
    expected: signedIn(signInFirst('/account/confirm-new-email?token='), '404'),
  },
  'GET /account/activity': { expected: signedIn(signInFirst('/account/activity'), '200') },
  'GET /account/download': { expected: '302 /account/activity' },
  'POST /account/download': { expected: signedIn(signInFirst('/account/activity'), '200') },
  'PUT /account/download': { expected: signedIn(signInFirst('/account/activity'), '405') },
  'PATCH /account/download': { expected: signedIn(signInFirst('/account/activity'), '405') },
  'DELETE /account/download': { expected: signedIn(signInFirst('/account/activity'), '405') },
  'GET /account/delete': { expected: signedIn(signInFirst('/account/delete'), '200') },
  // Without a proof. The staff cannot delete their accounts here.
  'POST /account/delete': {
    expected: { visitor: signInFirst('/account/delete'), other: '422', admin: '409', owner: '422' },
    staff,
  },
  'PUT /account/delete': { expected: signedIn(signInFirst('/account/delete'), '405') },
  'PATCH /account/delete': { expected: signedIn(signInFirst('/account/delete'), '405') },
  'DELETE /account/delete': { expected: signedIn(signInFirst('/account/delete'), '405') },
  'GET /profile/id-document': { expected: '302 /profile' },
  'POST /profile/id-document': {
    expected: signedIn(signInFirst('/profile#id-document-verification'), '303 /profile'),
  },
  'PUT /profile/id-document': { expected: signedIn(signInFirst('/profile#id-document-verification'), '405') },
  'PATCH /profile/id-document': {
    expected: signedIn(signInFirst('/profile#id-document-verification'), '405'),
  },
  'DELETE /profile/id-document': {
    expected: signedIn(signInFirst('/profile#id-document-verification'), '405'),
  },
  'GET /profile/names': { expected: '405' },
  'GET /profile/people/:patientId': {
    expected: signedIn(signInFirst('/profile/people/new'), '200'),
    path: () => '/profile/people/new',
  },
  // A form whose session has ended comes back with what was typed.
  'POST /profile/people/:patientId': {
    expected: signedIn('401', '422'),
    path: () => '/profile/people/new',
  },
  'PUT /profile/people/:patientId': {
    expected: '405',
    path: () => '/profile/people/new',
  },
  'PATCH /profile/people/:patientId': {
    expected: '405',
    path: () => '/profile/people/new',
  },
  'DELETE /profile/people/:patientId': {
    expected: '405',
    path: () => '/profile/people/new',
  },
  // The test sends a form; scripts send JSON.
  'POST /profile/names': { expected: signedIn('401', '415') },
  'GET /login': forVisitors('200'),
  'POST /login': forVisitors('422'),
  'GET /login/callback': missing,
  'GET /register': forVisitors('200'),
  'POST /register': forVisitors('422'),
  'GET /forgot-password': open,
  'POST /forgot-password': emptyForm,
  'GET /reset-password': missing,
  'POST /reset-password': emptyForm,
  'GET /refill-reminders/stop': missing,
  'POST /refill-reminders/stop': emptyForm,
  'GET /confirm-email': missing,
  'POST /confirm-email': { expected: signedIn(signInFirst('/confirm-email'), '422') },
  'GET /login/verify': forVisitors('303 /login'),
  'POST /login/verify': { expected: '303 /login' },
  'GET /cart': open,
  'POST /cart': emptyForm,
  'GET /theme': missing,
  'POST /theme': emptyForm,
  'GET /search/suggestions': open,
  'GET /search/manufacturers': open,
  'GET /img/v/:file': missing,
  'GET /img/p/:file': missing,

  'GET /api/auth/user': signedInOnly,
  'PATCH /api/profile': { ...signedInOnly, body: () => ({ weight: 150 }) },
  'PUT /api/profile/id-document': {
    expected: { visitor: '401', other: '422', admin: '422', owner: '200' },
    body: ({ idDocumentUrl }) => ({ idDocumentURL: idDocumentUrl }),
  },
  'GET /api/users/:id/id-document': {
    staff: ['pharmacist'],
    expected: { visitor: '401', other: '404', admin: '200', owner: '200' },
    path: ({ ids }) => `/api/users/${ids.owner}/id-document`,
  },
  'GET /api/shipping-addresses': signedInOnly,
  'GET /api/login': { expected: '302 /login' },
  'GET /api/openapi.json': open,
  'GET /api/products': open,
  'GET /api/products/search': open,
  'GET /api/products/:id': { ...open, path: ({ productId }) => `/api/products/${productId}` },
  'POST /api/products': catalogApi('422'),
  'PATCH /api/products/:id': {
    ...catalogApi('200'),
    path: ({ productId }) => `/api/products/${productId}`,
  },
  'DELETE /api/products/:id': {
    ...catalogApi('204'),
    path: ({ deletedProductIds }, role) => `/api/products/${deletedProductIds[role === 'admin' ? 1 : 0]}`,
  },
  'GET /api/product-variants': open,
  'POST /api/product-variants': catalogApi('422'),
  'PATCH /api/product-variants/:id': {
    ...catalogApi('200'),
    path: ({ variantId }) => `/api/product-variants/${variantId}`,
  },
  'GET /api/manufacturers': open,
  'POST /api/manufacturers': catalogApi('422'),
  // An id that does not exist. Only the admin learns that.
  'PATCH /api/manufacturers/:id': catalogApi('404'),
  'DELETE /api/manufacturers/:id': catalogApi('404'),
  'GET /api/pharmacies': adminsOnly('200'),
  'GET /api/users': adminsOnly('200'),
  'GET /api/users/:id': {
    staff: ['pharmacist'],
    expected: { visitor: '401', other: '404', admin: '200', owner: '200' },
    path: ({ ids }) => `/api/users/${ids.owner}`,
  },
  'PATCH /api/users/:id': { ...adminsOnly('200'), path: ({ ids }) => `/api/users/${ids.owner}` },
  'DELETE /api/users/:id': adminsOnly('404'),
  'GET /api/inventory/transactions': {
    ...adminsOnly('200'),
    staff: ['pharmacist', 'fulfillment', 'catalog-manager'],
  },
  'GET /api/inventory/variant/:variantId': {
    staff: ['pharmacist', 'fulfillment', 'catalog-manager'],
    ...adminsOnly('200'),
    path: ({ variantId }) => `/api/inventory/variant/${variantId}`,
  },
  'POST /api/inventory/adjust': {
    staff: ['catalog-manager'],
    ...adminsOnly('200'),
    body: ({ variantId }) => ({ variantId, quantityChange: 1, transactionType: 'adjustment' }),
  },
  'POST /api/objects/upload': signedInOnly,
  'PUT /api/objects/upload/:ticket': {
    expected: { visitor: '401', other: '404', admin: '404', owner: '415' },
    path: ({ uploadPath }) => uploadPath,
  },
  'GET /api/prescriptions': signedInOnly,
  'POST /api/prescriptions': {
    expected: { visitor: '401', other: '422', admin: '422', owner: '201' },
    body: ({ fileUrl }) => ({ fileUrl }),
  },
  'GET /api/prescriptions/:id/file': {
    staff: ['pharmacist'],
    expected: { visitor: '401', other: '404', admin: '200', owner: '200' },
    path: (records) => `${ofPrescription(records)}/file`,
  },
  'GET /api/prescriptions/order/:orderId': {
    staff: ['pharmacist'],
    expected: { visitor: '401', other: '404', admin: '200', owner: '200' },
    path: ({ order }) => `/api/prescriptions/order/${order}`,
  },
  'POST /api/create-payment-intent': { expected: signedIn('401', '422') },
  // Sent as a form.
  'POST /demo-payments/confirm': { expected: '415' },
  'POST /demo-payments/complete': { expected: '415' },
  'GET /api/orders': adminsOnly('200'),
  'POST /api/orders': { expected: signedIn('401', '422') },
  'GET /api/orders/user': signedInOnly,
  'GET /api/orders/user/:userId': {
    staff: ['pharmacist', 'fulfillment', 'support'],
    expected: { visitor: '401', other: '404', admin: '200', owner: '200' },
    path: ({ ids }) => `/api/orders/user/${ids.owner}`,
  },
  'GET /api/orders/:id': {
    staff: ['pharmacist', 'fulfillment', 'support'],
    expected: { visitor: '401', other: '404', admin: '200', owner: '200' },
    path: ({ order }) => `/api/orders/${order}`,
  },
  'PATCH /api/orders/:id': {
    staff: ['pharmacist', 'fulfillment'],
    ...adminsOnly('200'),
    path: ({ order }) => `/api/orders/${order}`,
    body: () => ({ carrier: 'UPS' }),
  },
  'GET /api/prescriptions/user/:userId': {
    staff: ['pharmacist'],
    expected: { visitor: '401', other: '403', admin: '200', owner: '403' },
    path: ({ ids }) => `/api/prescriptions/user/${ids.owner}`,
  },
  'PATCH /api/prescriptions/:id': {
    staff: ['pharmacist'],
    expected: { visitor: '401', other: '403', admin: '200', owner: '403' },
    path: ofPrescription,
    body: () => ({ status: 'approved' }),
  },
  'DELETE /api/prescriptions/:id': {
    staff: ['pharmacist'],
    expected: { visitor: '401', other: '404', admin: '403', owner: '204' },
    path: ofPrescription,
  },
  'GET /api/*': missing,
  'POST /api/*': missing,
  'PUT /api/*': missing,
  'PATCH /api/*': missing,
  'DELETE /api/*': missing,

  // Any client may call the webhook: its signature counts, and demo payments have none.
  'GET /trpc/*': {
    staff: ['catalog-manager'],
    ...adminsOnly('200'),
    path: () => '/trpc/manufacturers.list?input={}',
  },
  // Form fields instead of JSON.
  'POST /trpc/*': { expected: '415', path: () => '/trpc/manufacturers.create' },
  'POST /webhooks/stripe': missing,

  'GET /demo/outbox': open,
  'GET /healthz': open,
  'GET /readyz': open,
  'GET /robots.txt': open,
  'GET /sitemap.xml': open,
  'GET /sitemaps/:file': missing,
  'GET /*': missing,

  'POST /orders/:id': {
    expected: {
      visitor: '303 /api/login?returnTo=%2Forders%2F019a7c1e-0000-7000-8000-000000000000',
      other: '404',
      admin: '404',
      owner: '404',
    },
    body: () => ({ intent: 'again' }),
  },
  'PUT /orders/:id': { expected: '405' },
  'PATCH /orders/:id': { expected: '405' },
  'DELETE /orders/:id': { expected: '405' },
  // Every outcome redirects to the list. The comparison of the owner's rows shows its effect.
  'POST /prescriptions': {
    expected: '303 /prescriptions',
    body: ({ secondPrescription }) => ({ intent: 'delete', id: secondPrescription }),
  },
  'POST /api/logout': { expected: '303 /' },
  'GET /api/logout': home,
}
