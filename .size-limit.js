import { readFileSync, readdirSync } from 'node:fs'

/**
 * What each page may weigh. The files are those that the built manifest has the page load at once: the entry, the
 * root, the page's own module, all that they import, and the manifest; tests/e2e/weight.test.ts holds this list
 * against what a browser fetches.
 */
const client = 'build/client'
const manifestFile = `${client}/assets/${readdirSync(`${client}/assets`).find((name) => name.startsWith('manifest-'))}`
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8').replace(/^[^{]*|;?\s*$/g, ''))

const scriptsOf = (routeId) => {
  const parts = [manifest.entry, manifest.routes.root, manifest.routes[routeId]]
  const urls = new Set(parts.flatMap((part) => [part.module, ...part.imports]))
  return [...[...urls].map((url) => client + url), manifestFile]
}
const styles = [...new Set(Object.values(manifest.routes).flatMap((route) => route.css))].map(
  (url) => client + url,
)
const fonts = readdirSync(`${client}/assets`).filter((name) => name.endsWith('.woff2'))

export default [
  {
    name: 'JavaScript of the home page',
    path: scriptsOf('routes/content/home'),
    limit: '135 kB',
    gzip: true,
  },
  {
    name: 'JavaScript of the product page',
    path: scriptsOf('routes/shop/product'),
    limit: '135 kB',
    gzip: true,
  },
  {
    name: 'JavaScript of the product list',
    path: scriptsOf('routes/shop/products'),
    limit: '135 kB',
    gzip: true,
  },
  { name: 'JavaScript of the cart', path: scriptsOf('routes/shop/cart'), limit: '135 kB', gzip: true },
  { name: 'Styles, of all pages', path: styles, limit: '15 kB', gzip: true },
  ...fonts.map((name) => ({
    name: `Font ${name}`,
    path: `${client}/assets/${name}`,
    limit: '20 kB',
    gzip: false,
    brotli: false,
  })),
]
