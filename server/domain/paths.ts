import { segment, withQuery, type Query } from './build-path.ts'

/**
 * Every URL of the shop that a page, a redirect or an email links to. `app/routes.ts` serves them;
 * `tests/check/paths.test.ts` proves that each has a route. What only the server needs is in
 * `server-paths.ts`, because browsers download these.
 */
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
  idDocumentForCheckout: '/profile/id-document?from=checkout',
  medicineNames: '/profile/names',
  person: (patientId: string) => `/profile/people/${segment(patientId)}`,
  account: {
    security: '/account/security',
    confirmCode: '/account/confirm-code',
    confirmCodeFor: (returnTo: string) => withQuery('/account/confirm-code', { returnTo }),
    confirmNewEmail: '/account/confirm-new-email',
    activity: '/account/activity',
    download: '/account/download',
    downloadSection: '/account/activity#download',
    delete: '/account/delete',
  },
  login: '/login',
  loginVerify: '/login/verify',
  register: '/register',
  forgotPassword: '/forgot-password',
  forgotPasswordSent: '/forgot-password?sent',
  resetPassword: '/reset-password',
  stopRemindersForm: '/refill-reminders/stop',
  confirmEmail: '/confirm-email',

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
  /** `/img/v/{variantId}.svg?v={hash}`, see catalog/illustration.ts. */
  illustrations: '/img/v',
  suggestions: (q: string) => withQuery('/search/suggestions', { q }),
  manufacturerSuggestions: (q: string) => withQuery('/search/manufacturers', { q }),
  /** Documented links that show the 404 page (settled decisions, "Footer links"). */
  otc: '/otc',
  prescription: '/prescription',

  /** Where the back office starts; `admin-paths.ts` has the rest. */
  backOffice: '/admin',
  api: {
    login: '/api/login',
    loginFor: (returnTo: string) => withQuery('/api/login', { returnTo }),
    logout: '/api/logout',
    upload: '/api/objects/upload',
    uploadTicket: (id: string) => `/api/objects/upload/${segment(id)}`,
    prescriptionFile: (id: string) => `/api/prescriptions/${segment(id)}/file`,
    userIdDocument: (userId: string) => `/api/users/${segment(userId)}/id-document`,
  },
} as const
