/**
 * Every URL of the shop that a page, a redirect or an email links to. `app/routes.ts` serves them;
 * `tests/check/paths.test.ts` proves that each has a route.
 */

type Query = Readonly<Record<string, string | number | null | undefined>>

/** A path with a query; null, undefined and empty values are left out. */
function withQuery(path: string, query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') params.set(name, String(value))
  }
  // `%20`, as browsers' own address bars and `encodeURIComponent` write a space.
  const search = params.toString().replaceAll('+', '%20')
  return search === '' ? path : `${path}?${search}`
}

const segment = encodeURIComponent

export const paths = {
  home: '/',
  products: '/products',
  productSearch: (query: Query) => withQuery('/products', query),
  product: (id: string, query: { variant?: string | null | undefined } = {}) =>
    withQuery(`/products/${segment(id)}`, query),
  brands: '/brands',
  cart: '/cart',
  checkout: '/checkout',
  checkoutWithAddress: (index: number) => withQuery('/checkout', { address: index }),
  checkoutVerify: '/checkout/verify',
  orderConfirmation: '/order-confirmation',
  orders: '/orders',
  order: (id: string) => `/orders/${segment(id)}`,
  orderHistory: '/order-history',
  prescriptions: '/prescriptions',
  prescriptionsWithRefill: (itemId: string) => withQuery('/prescriptions', { refill: itemId }),
  refillRequest: (itemId: string, query: { paper?: string } = {}) =>
    withQuery(`/prescriptions/items/${segment(itemId)}/request`, query),
  uploadPrescription: '/prescriptions/upload',
  uploadPrescriptionForCheckout: '/prescriptions/upload?from=checkout',

  profile: '/profile',
  idDocumentSection: '/profile#id-document-verification',
  idDocument: '/profile/id-document',
  medicineNames: '/profile/names',
  person: (patientId: string) => `/profile/people/${segment(patientId)}`,
  account: {
    security: '/account/security',
    confirmCode: '/account/confirm-code',
    confirmCodeFor: (returnTo: string) => withQuery('/account/confirm-code', { returnTo }),
    confirmNewEmail: '/account/confirm-new-email',
    confirmNewEmailWith: (token: string) => withQuery('/account/confirm-new-email', { token }),
    activity: '/account/activity',
    download: '/account/download',
    downloadSection: '/account/activity#download',
    delete: '/account/delete',
  },
  login: '/login',
  loginCallback: '/login/callback',
  loginVerify: '/login/verify',
  register: '/register',
  forgotPassword: '/forgot-password',
  forgotPasswordSent: '/forgot-password?sent',
  resetPassword: '/reset-password',
  resetPasswordWith: (token: string) => withQuery('/reset-password', { token }),
  stopRemindersForm: '/refill-reminders/stop',
  stopReminders: (token: string) => withQuery('/refill-reminders/stop', { token }),
  confirmEmail: '/confirm-email',
  confirmEmailWith: (token: string) => withQuery('/confirm-email', { token }),

  about: '/about',
  blog: '/blog',
  careers: '/careers',
  contact: '/contact',
  contactSent: '/contact?sent',
  faq: '/faq',
  hipaa: '/hipaa',
  howWeCheck: '/how-we-check',
  privacy: '/privacy',
  shipping: '/shipping',
  terms: '/terms',
  returnsSection: '/terms#returns-and-refunds',
  theme: '/theme',
  trpc: '/trpc',
  stripeWebhook: '/webhooks/stripe',
  /** `/img/v/{variantId}.svg?v={hash}`, see catalog/illustration.ts. */
  illustrations: '/img/v',
  /** `/img/p/{id}.{jpg|png}`, see catalog/product-pictures.ts. */
  productPictures: '/img/p',
  demoOutbox: '/demo/outbox',
  suggestions: (q: string) => withQuery('/search/suggestions', { q }),
  manufacturerSuggestions: (q: string) => withQuery('/search/manufacturers', { q }),
  /** Documented links that show the 404 page (settled decisions, "Footer links"). */
  otc: '/otc',
  prescription: '/prescription',

  admin: {
    dashboard: '/admin',
    dashboardForPeriod: (days: number) => withQuery('/admin', { days }),
    products: '/admin/products',
    productPicture: '/admin/products/picture',
    variants: '/admin/variants',
    variantsOf: (manufacturerId: string) => withQuery('/admin/variants', { manufacturerId }),
    imports: '/admin/variants/import',
    import: (id: string) => `/admin/variants/import/${segment(id)}`,
    rejectedLines: (id: string) => `/admin/variants/import/${segment(id)}/refused.csv`,
    inventory: '/admin/inventory',
    lots: (query: { show?: string; days?: number; variant?: string } = {}) =>
      withQuery('/admin/inventory/lots', query),
    lot: (id: string) => `/admin/inventory/lots/${segment(id)}`,
    wholeInventory: '/admin/inventory?show=all',
    adjustStock: (variant: string) => withQuery('/admin/inventory', { adjust: variant }),
    stockHistory: (variant: string) =>
      `${withQuery('/admin/inventory', { 'history.variant': variant })}#history`,
    manufacturers: '/admin/manufacturers',
    orders: '/admin/orders',
    ordersWith: (query: { status: string }) => withQuery('/admin/orders', query),
    order: (id: string) => `/admin/orders/${segment(id)}`,
    orderLots: (id: string) => `/admin/orders/${segment(id)}/lots`,
    packingSlip: (id: string, query: { paper?: string } = {}) =>
      withQuery(`/admin/orders/${segment(id)}/packing-slip`, query),
    shippingLabel: (id: string) => `/admin/orders/${segment(id)}/label`,
    label: (orderId: string, lineId: string, query: { paper?: string } = {}) =>
      withQuery(`/admin/orders/${segment(orderId)}/labels/${segment(lineId)}`, query),
    leaflet: (orderId: string, lineId: string, query: { paper?: string } = {}) =>
      withQuery(`/admin/orders/${segment(orderId)}/leaflet/${segment(lineId)}`, query),
    refillRequest: (itemId: string, query: { paper?: string } = {}) =>
      withQuery(`/admin/prescriptions/items/${segment(itemId)}/request`, query),
    transferRecord: (itemId: string, query: { paper?: string } = {}) =>
      withQuery(`/admin/prescriptions/items/${segment(itemId)}/transfer`, query),
    user: (id: string, query: { tab?: string } = {}) => withQuery(`/admin/users/${segment(id)}`, query),
    settings: '/admin/settings',
    shopSettings: '/admin/settings/shop',
    earlierSettings: (before: string) => withQuery('/admin/settings/shop', { before }),
    pharmacies: '/admin/pharmacies',
    records: '/admin/records',
    status: '/admin/status',
    api: '/admin/api',
    webhooks: '/admin/api/webhooks',
    screeningLists: '/admin/screening/lists',
    careImports: '/admin/screening/import',
    careImport: (id: string) => `/admin/screening/import/${segment(id)}`,
    recalls: '/admin/screening/recalls',
    recall: (id: string) => `/admin/screening/recalls/${segment(id)}`,
    rowReports: '/admin/screening/reports',
    needRows: (query: { show?: string; q?: string; page?: string } = {}) =>
      withQuery('/admin/screening/needs', query),
    ingredientNames: '/admin/screening/names',
    ingredientNamesAfter: (after: string) => withQuery('/admin/screening/names', { after }),
    recordFile: (orderId: string, prescription: string) =>
      withQuery(`/admin/records/${segment(orderId)}/file`, { prescription }),
    alerts: '/admin/alerts',
    alertsOf: (months: number) => withQuery('/admin/alerts', { months }),
    messages: '/admin/messages',
    thread: (subjectId: string) => `/admin/messages/${segment(subjectId)}`,
    prescriptions: '/admin/prescriptions',
    prescriptionsWith: (query: { filter?: string; id?: string; edit?: string }) =>
      withQuery('/admin/prescriptions', query),
    export: (
      grid:
        | 'products'
        | 'variants'
        | 'inventory'
        | 'ledger'
        | 'manufacturers'
        | 'orders'
        | 'users'
        | 'pharmacies',
    ) => `/admin/${grid}.csv`,
  },

  api: {
    document: '/api/openapi.json',
    login: '/api/login',
    loginFor: (returnTo: string) => withQuery('/api/login', { returnTo }),
    logout: '/api/logout',
    upload: '/api/objects/upload',
    uploadTicket: (id: string) => `/api/objects/upload/${segment(id)}`,
    prescriptionFile: (id: string) => `/api/prescriptions/${segment(id)}/file`,
    userIdDocument: (userId: string) => `/api/users/${segment(userId)}/id-document`,
  },
} as const
