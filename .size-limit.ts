import { fontFiles, lateFiles, scriptsOf, styleFiles } from './tests/support/page-files.ts'

const pages = {
  'home page': 'routes/content/home',
  'product list': 'routes/catalog/products',
  'product page': 'routes/catalog/product',
  cart: 'routes/cart/cart',
}

/** What a page may weigh; tests/e2e/weight.test.ts holds these lists against what a browser fetches. */
export default [
  ...Object.entries(pages).map(([page, route]) => ({
    name: `JavaScript of the ${page}`,
    path: scriptsOf(route),
    limit: '135 kB',
    gzip: true,
  })),
  {
    name: 'JavaScript of checkout, the provider’s own script left out',
    path: [...scriptsOf('routes/checkout/checkout'), ...lateFiles('StripeFields')],
    limit: '145 kB',
    gzip: true,
  },
  {
    name: 'JavaScript of a grid of the back office',
    path: scriptsOf('routes/admin/layout', 'routes/admin/catalog/manufacturers/manufacturers'),
    limit: '190 kB',
    gzip: true,
  },
  {
    name: 'Styles of the back office, beside those of every page',
    path: styleFiles('admin'),
    limit: '6 kB',
    gzip: true,
  },
  { name: 'Styles', path: styleFiles(), limit: '15 kB', gzip: true },
  { name: 'Fonts', path: fontFiles(), limit: '20 kB', gzip: false, brotli: false },
]
