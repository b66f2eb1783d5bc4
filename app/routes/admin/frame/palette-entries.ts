import type { Permission } from '#domain/accounts/permissions.ts'
import type { GoToResults } from '#domain/go-to-results.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { paths } from '#domain/paths.ts'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { pages } from './pages.ts'

export type Entry = { key: string; name: string; kind: string; to: string }
type Can = (permission: Permission) => boolean

/** The pages that can search for the typed text. */
const searches = [
  ['Search products for', adminPaths.variants, 'catalog.write'],
  ['Search inventory for', adminPaths.wholeInventory, 'stock.read'],
  ['Search manufacturers for', adminPaths.manufacturers, 'catalog.write'],
] as const

const otherPages: readonly { name: string; to: string; permission: Permission | null }[] = [
  { name: 'Product list', to: adminPaths.products, permission: 'catalog.write' },
  { name: 'Lots', to: adminPaths.lots(), permission: 'stock.read' },
  { name: 'Import CSV', to: adminPaths.imports, permission: 'catalog.write' },
  { name: 'Recalls', to: adminPaths.recalls, permission: 'lists.read' },
  { name: 'Shop settings', to: adminPaths.shopSettings, permission: 'settings.write' },
  { name: 'My Profile', to: paths.profile, permission: null },
  { name: 'Back to the shop', to: paths.home, permission: null },
]

/**
 * What the typed text finds: pages, then what the server found, then searches of the lists.
 */
export function findEntries(typed: string, found: GoToResults | null, can: Can): Entry[] {
  const text = typed.trim()
  const needle = text.toLowerCase()
  const matches = [...pages.map(({ path, ...page }) => ({ ...page, to: path })), ...otherPages]
    .filter(
      ({ name, permission }) =>
        (permission === null || can(permission)) && name.toLowerCase().includes(needle),
    )
    .map(({ name, to }) => ({ key: to, name, kind: 'Page', to }))
  if (needle === '') return matches
  return [
    ...matches,
    ...(found ? foundEntries(found, can) : []),
    ...searches
      .filter(([, , permission]) => can(permission))
      .map(([label, path]) => ({
        key: label,
        name: `${label} “${text}”`,
        kind: '',
        to: `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ q: text })}`,
      })),
  ]
}

const foundEntries = ({ products, variants, orders, customers }: GoToResults, can: Can): Entry[] => [
  ...orders.map(({ id, status }) => ({
    key: id,
    name: `Order ${orderRef(id)}`,
    kind: status,
    to: adminPaths.order(id),
  })),
  ...customers.map(({ id, name, email }) => ({
    key: id,
    name: name === email ? name : `${name}, ${email}`,
    kind: 'Account',
    to: adminPaths.user(id),
  })),
  ...products.map(({ id, name, kind }) => ({
    key: id,
    name,
    kind,
    to: `${adminPaths.products}?${new URLSearchParams({ q: name })}`,
  })),
  ...variants.map(({ id, name, stockQuantity }) => ({
    key: id,
    name,
    kind: `${stockQuantity.toLocaleString('en-US')} on hand`,
    to: adminPaths.stockHistory(id),
  })),
  ...(can('stock.write')
    ? variants.map(({ id, name }) => ({
        key: `adjust ${id}`,
        name: `Adjust stock of ${name}`,
        kind: 'Action',
        to: adminPaths.adjustStock(id),
      }))
    : []),
]
