import { paths } from './paths.ts'
import { segment, withQuery } from './build-path.ts'

/** Every URL of the back office. Apart from `paths`, so that the shop's pages do not load it. */
export const adminPaths = {
  dashboard: paths.backOffice,
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
  /** Everyone may read it; of the pages, only the one above links to it. */
  apiDocument: '/api/openapi.json',
  webhooks: '/admin/api/webhooks',
  apiKeys: '/admin/api/keys',
  screeningLists: '/admin/screening/lists',
  careImports: '/admin/screening/import',
  careImport: (id: string) => `/admin/screening/import/${segment(id)}`,
  recalls: '/admin/screening/recalls',
  /** Of "new", the form that records a recall, `from` an ended one. */
  recall: (id: string, query: { after?: string; from?: string } = {}) =>
    withQuery(`/admin/screening/recalls/${segment(id)}`, query),
  rowReports: '/admin/screening/reports',
  needRows: (query: { show?: string; q?: string; page?: string } = {}) =>
    withQuery('/admin/screening/needs', query),
  ingredientNames: '/admin/screening/names',
  ingredientNamesAfter: (after: string) => withQuery('/admin/screening/names', { after }),
  recordFile: (orderId: string, prescription: string) =>
    withQuery(`/admin/records/${segment(orderId)}/file`, { prescription }),
  audit: '/admin/audit',
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
} as const
