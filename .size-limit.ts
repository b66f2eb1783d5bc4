import { fontFiles, lateFiles, scriptsOf, styleFiles } from './tests/support/page-files.ts'

const pages = {
  'home page': ['routes/content/home', '125 kB'],
  'product list': ['routes/catalog/products', '128.5 kB'],
  'product page': ['routes/catalog/product', '130 kB'],
  cart: ['routes/cart/cart', '127 kB'],
} as const

/** Size budgets. tests/e2e/weight.test.ts compares these file lists with what a browser loads. */
export default [
  ...Object.entries(pages).map(([page, [route, limit]]) => ({
    name: `JavaScript of the ${page}`,
    path: scriptsOf('routes/shop-pages', route),
    limit,
    gzip: true,
  })),
  {
    name: 'JavaScript of checkout, without Stripe’s own script',
    path: [...scriptsOf('routes/shop-pages', 'routes/checkout/checkout'), ...lateFiles('StripeFields')],
    limit: '138 kB',
    gzip: true,
  },
  {
    name: 'JavaScript of an admin grid',
    path: scriptsOf('routes/admin/layout', 'routes/admin/catalog/manufacturers/manufacturers'),
    limit: '176 kB',
    gzip: true,
  },
  {
    name: 'Admin styles, in addition to the shared ones',
    path: styleFiles('admin'),
    limit: '6 kB',
    gzip: true,
  },
  { name: 'Styles', path: styleFiles(), limit: '15 kB', gzip: true },
  { name: 'Fonts', path: fontFiles(), limit: '20 kB', gzip: false, brotli: false },
]
