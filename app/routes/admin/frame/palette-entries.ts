import type { Permission } from '#domain/accounts/permissions.ts'
import type { GoToResults } from '#domain/go-to-results.ts'
import { paths } from '#domain/paths.ts'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { pages } from './pages.ts'

export type Entry = { key: string; name: string; kind: string; to: string }
type Can = (permission: Permission) => boolean

/** The pages that can search for the typed text. */
const searches = [
  ['Search products for', paths.admin.variants, 'catalog.write'],
  ['Search inventory for', paths.admin.wholeInventory, 'stock.read'],
  ['Search manufacturers for', paths.admin.manufacturers, 'catalog.write'],
] as const

const otherPages: readonly { name: string; to: string; permission: Permission | null }[] = [
  { name: 'Product list', to: paths.admin.products, permission: 'catalog.write' },
  { name: 'Lots', to: paths.admin.lots(), permission: 'stock.read' },
  { name: 'Import CSV', to: paths.admin.imports, permission: 'catalog.write' },
  { name: 'Recalls', to: paths.admin.recalls, permission: 'lists.read' },
  { name: 'Shop settings', to: paths.admin.shopSettings, permission: 'settings.write' },
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
    to: paths.admin.order(id),
  })),
  ...customers.map(({ id, name, email }) => ({
    key: id,
    name: name === email ? name : `${name}, ${email}`,
    kind: 'Account',
    to: paths.admin.user(id),
  })),
  ...products.map(({ id, name }) => ({
    key: id,
    name,
    kind: 'Product',
    to: `${paths.admin.products}?${new URLSearchParams({ q: name })}`,
  })),
  ...variants.map(({ id, name, stockQuantity }) => ({
    key: id,
    name,
    kind: `${stockQuantity.toLocaleString('en-US')} on hand`,
    to: paths.admin.stockHistory(id),
  })),
  ...(can('stock.write')
    ? variants.map(({ id, name }) => ({
        key: `adjust ${id}`,
        name: `Adjust stock of ${name}`,
        kind: 'Action',
        to: paths.admin.adjustStock(id),
      }))
    : []),
]
