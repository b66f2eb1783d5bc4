import type { Permission } from '../accounts/permissions.ts'
import { z } from 'zod'

/** What a key can be given for the catalog and the stock. */
export const catalogPermissions = [
  'catalog.write',
  'stock.read',
  'stock.write',
] as const satisfies Permission[]

export type CatalogPermission = (typeof catalogPermissions)[number]

export const catalogPermissionsSchema = z.array(z.enum(catalogPermissions)).max(catalogPermissions.length)

/**
 * What a key can be given for orders. It has no other permission then: stock and orders would show
 * together which medicines an order contains (docs/decisions/0065-api-keys-for-orders.md).
 */
export const orderAccesses = ['read', 'ship'] as const
export const orderAccessSchema = z.enum(orderAccesses)
export type OrderAccess = z.output<typeof orderAccessSchema>

/** The permissions of each access. */
export const permissionsOfAccess = {
  read: ['orders.read'],
  ship: ['orders.read', 'orders.ship'],
} as const satisfies Record<OrderAccess, Permission[]>

export type KeyPermission = CatalogPermission | (typeof permissionsOfAccess)[OrderAccess][number]

/**
 * The only calls that accept a key, by method and route, and the permission that each needs; null
 * when every key may make the call (docs/decisions/0048-api-keys.md).
 */
const keyCalls = {
  'GET /api/products': null,
  'POST /api/products': 'catalog.write',
  'GET /api/products/search': null,
  'GET /api/products/:id': null,
  'PATCH /api/products/:id': 'catalog.write',
  'DELETE /api/products/:id': 'catalog.write',
  'GET /api/product-variants': null,
  'POST /api/product-variants': 'catalog.write',
  'PATCH /api/product-variants/:id': 'catalog.write',
  'GET /api/manufacturers': null,
  'POST /api/manufacturers': 'catalog.write',
  'PATCH /api/manufacturers/:id': 'catalog.write',
  'DELETE /api/manufacturers/:id': 'catalog.write',
  'GET /api/inventory/transactions': 'stock.read',
  'GET /api/inventory/variant/:variantId': 'stock.read',
  'POST /api/inventory/adjust': 'stock.write',
  'GET /api/orders/:id': 'orders.read',
  'PATCH /api/orders/:id': 'orders.ship',
} as const satisfies Record<string, KeyPermission | null>

const byCall: ReadonlyMap<string, KeyPermission | null> = new Map(Object.entries(keyCalls))

/**
 * The permission that a key needs for a call, null when it needs none, and undefined when the call
 * accepts no key.
 * @param route as in the route table: `/api/products/:id`
 */
export const findKeyCall = (method: string, route: string): KeyPermission | null | undefined =>
  byCall.get(`${method === 'HEAD' ? 'GET' : method} ${route}`)

/** The paths of the calls above. Each of their other methods is unknown. */
const keyRoutes = new Set([...byCall.keys()].map((call) => call.slice(call.indexOf(' ') + 1)))

/**
 * Whether a path, or a method of a path that accepts keys, is unknown. The 404 or 405 comes before
 * a key is read (contract, "/api", "Responses"), so such a call is handled as a visitor's request.
 */
export const isUnknownCall = (method: string, route: string): boolean =>
  route.endsWith('/*') || (keyRoutes.has(route) && findKeyCall(method, route) === undefined)
