import {
  can,
  compareRoles,
  formatRoles,
  isStaff,
  labelRoles,
  listRoles,
  lacksRequiredFactor,
  parseRoles,
  permissionsOf,
  permissionTable,
  roles,
  withAdmin,
  type Permission,
  type Role,
} from '#domain/accounts/permissions.ts'
import {
  findKeyCall,
  isUnknownCall,
  catalogPermissions,
  catalogPermissionsSchema,
  permissionsOfAccess,
  type KeyPermission,
} from '#domain/api-keys/key-permissions.ts'
import { describe, expect, test } from 'vitest'

/** A second copy of the table, by role: a permission that moves changes both. */
const permissionsByRole: Record<Role, Permission[]> = {
  admin: [
    'orders.read',
    'orders.medicines',
    'orders.ship',
    'orders.note',
    'refunds.create',
    'refunds.unlimited',
    'prescriptions.review',
    'health.read',
    'health.read-any',
    'customers.read',
    'customers.manage',
    'customers.export',
    'roles.manage',
    'catalog.write',
    'stock.read',
    'stock.write',
    'lots.quarantine',
    'costs.read',
    'pharmacies.write',
    'reports.read',
    'records.read',
    'lists.read',
    'audit.read',
    'settings.write',
  ],
  pharmacist: [
    'orders.read',
    'orders.medicines',
    'orders.ship',
    'orders.note',
    'prescriptions.review',
    'prescriptions.clear',
    'health.read',
    'stock.read',
    'lots.quarantine',
    'records.read',
    'lists.read',
  ],
  fulfillment: ['orders.read', 'orders.medicines', 'orders.ship', 'orders.note', 'stock.read'],
  support: ['orders.read', 'orders.note', 'refunds.create', 'customers.read'],
  'catalog-manager': [
    'catalog.write',
    'stock.read',
    'stock.write',
    'lots.quarantine',
    'costs.read',
    'lists.read',
  ],
}

test.each(Object.entries(permissionsByRole))('the role %s holds its permissions only', (role, held) => {
  expect(permissionsOf(parseRoles(role))).toEqual(held)
})

test('two roles hold what either of them holds, once', () => {
  expect(permissionsOf(['support', 'fulfillment'])).toEqual([
    'orders.read',
    'orders.medicines',
    'orders.ship',
    'orders.note',
    'refunds.create',
    'customers.read',
    'stock.read',
  ])
  expect(permissionsOf([])).toEqual([])
})

test('each permission says what it allows', () => {
  const labels = Object.values(permissionTable).map(({ label }) => label)
  expect(labels.filter((label) => !/^[A-Z][a-z]+,? .{4,}/.test(label))).toEqual([])
  expect(new Set(labels).size).toBe(labels.length)
})

test('roles are stored in one order, and unknown names grant nothing', () => {
  expect(roles).toEqual(['admin', 'pharmacist', 'fulfillment', 'support', 'catalog-manager'])
  expect(formatRoles(['support', 'admin', 'support'])).toBe('admin,support')
  expect(parseRoles('admin,root,toString,,support')).toEqual(['admin', 'support'])
})

test.each<[Role[], string, string]>([
  [[], 'User', 'User'],
  [['admin'], 'Admin', 'Admin'],
  [['pharmacist', 'fulfillment'], 'Pharmacist, Fulfillment', 'Pharmacist and Fulfillment'],
  [
    ['admin', 'support', 'catalog-manager'],
    'Admin, Support, Catalog manager',
    'Admin, Support, and Catalog manager',
  ],
])('%j reads "%s", and "%s" in a sentence', (held, label, list) => {
  expect(labelRoles(held)).toBe(label)
  expect(listRoles(held)).toBe(list)
})

test.each<[boolean, Role[], Role[]]>([
  [true, [], ['admin']],
  [true, ['admin', 'support'], ['admin', 'support']],
  [true, ['support'], ['admin', 'support']],
  [false, ['admin', 'support'], ['support']],
  [false, ['support'], ['support']],
])('the admin role set to %j turns %j into %j', (isAdmin, held, after) => {
  expect(withAdmin(isAdmin)(held)).toEqual(after)
})

test('a change of roles lists what it adds and removes', () => {
  expect(compareRoles(['support'], ['fulfillment'])).toEqual({
    gained: ['orders.medicines', 'orders.ship', 'stock.read'],
    lost: ['refunds.create', 'customers.read'],
  })
  expect(compareRoles(['support'], ['support'])).toEqual({ gained: [], lost: [] })
})

const holder = (held: Role[], permissions = permissionsOf(held)) => ({
  roles: held,
  permissions: new Set(permissions),
})

test('only a user who holds a permission may use it', () => {
  expect(can(holder(['support']), 'refunds.create')).toBe(true)
  expect(can(holder(['support']), 'refunds.unlimited')).toBe(false)
  expect(can(holder(['admin'], []), 'orders.read')).toBe(false)
  for (const visitor of [null, undefined]) expect(can(visitor, 'orders.read')).toBe(false)
})

test.each([
  ['a visitor', null, false, false],
  ['no user', undefined, false, false],
  ['a customer', holder([]), false, false],
  ['support', holder(['support']), true, false],
  ['an admin without the second factor', holder(['admin'], []), true, true],
] as const)('%s: works here, lacks the factor', (_, user, works, lacks) => {
  expect([isStaff(user), lacksRequiredFactor(user)]).toEqual([works, lacks])
})

describe('a key of a machine', () => {
  const calls: [string, string, KeyPermission | null | undefined][] = [
    ['GET', '/api/products', null],
    ['HEAD', '/api/products', null],
    ['POST', '/api/products', 'catalog.write'],
    ['GET', '/api/products/search', null],
    ['GET', '/api/products/:id', null],
    ['PATCH', '/api/products/:id', 'catalog.write'],
    ['DELETE', '/api/products/:id', 'catalog.write'],
    ['GET', '/api/product-variants', null],
    ['POST', '/api/product-variants', 'catalog.write'],
    ['PATCH', '/api/product-variants/:id', 'catalog.write'],
    ['GET', '/api/manufacturers', null],
    ['POST', '/api/manufacturers', 'catalog.write'],
    ['PATCH', '/api/manufacturers/:id', 'catalog.write'],
    ['DELETE', '/api/manufacturers/:id', 'catalog.write'],
    ['GET', '/api/inventory/transactions', 'stock.read'],
    ['HEAD', '/api/inventory/transactions', 'stock.read'],
    ['GET', '/api/inventory/variant/:variantId', 'stock.read'],
    ['POST', '/api/inventory/adjust', 'stock.write'],
    ['GET', '/api/orders', undefined],
    ['HEAD', '/api/inventory/adjust', undefined],
    ['DELETE', '/api/product-variants/:id', undefined],
  ]
  test.each(calls)('%s %s needs %s', (method, route, permission) => {
    expect(findKeyCall(method, route)).toBe(permission)
  })

  test.each([
    ['GET', '/api/products', false],
    ['HEAD', '/api/products', false],
    ['PUT', '/api/products', true],
    ['GET', '/api/inventory/adjust', true],
    ['GET', '/api/*', true],
    // These exist, but accept no key.
    ['GET', '/api/orders', false],
    ['POST', '/api/orders', false],
  ])('%s %s is unknown: %s', (method, route, isUnknown) => {
    expect(isUnknownCall(method, route)).toBe(isUnknown)
  })

  test('can be given permissions of the catalog and the stock, and of single orders', () => {
    expect(catalogPermissionsSchema.parse([...catalogPermissions])).toEqual([
      'catalog.write',
      'stock.read',
      'stock.write',
    ])
    expect(catalogPermissionsSchema.safeParse(['orders.read']).success).toBe(false)
    expect(catalogPermissionsSchema.safeParse(Array(4).fill('stock.read')).success).toBe(false)
    expect(permissionsOfAccess).toEqual({ read: ['orders.read'], ship: ['orders.read', 'orders.ship'] })
  })
})
