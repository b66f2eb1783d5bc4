import type { Permission } from '../accounts/permissions.ts'
import { z } from 'zod'

/** What a key can be given: nothing about customers, orders or prescriptions. */
export const keyPermissions = ['catalog.write', 'stock.read', 'stock.write'] as const satisfies Permission[]
export type KeyPermission = (typeof keyPermissions)[number]

export const keyPermissionsSchema = z.array(z.enum(keyPermissions)).max(keyPermissions.length)

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
