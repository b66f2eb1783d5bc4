/** The roles of the staff, in the order of lists. A customer has none. */
export const roleLabels = {
  admin: 'Admin',
  pharmacist: 'Pharmacist',
  fulfillment: 'Fulfillment',
  support: 'Support',
  'catalog-manager': 'Catalog manager',
} as const
export type Role = keyof typeof roleLabels
export const roles = Object.keys(roleLabels) as Role[]

/** What a permission allows, as Settings says it, and the roles that hold it. */
type PermissionRow = { label: string; roles: readonly Role[] }

/**
 * Every permission of the back office. Use cases ask for a permission, never for a role
 * (docs/decisions/0024-roles.md).
 */
export const permissionTable = {
  'orders.read': {
    label: 'See orders, their customers and addresses',
    roles: ['admin', 'pharmacist', 'fulfillment', 'support'],
  },
  'orders.medicines': {
    label: 'See which prescription medicines an order contains',
    roles: ['admin', 'pharmacist', 'fulfillment'],
  },
  'orders.ship': {
    label: 'Change order statuses, tracking and delivery dates',
    roles: ['admin', 'pharmacist', 'fulfillment'],
  },
  'orders.note': {
    label: 'Add notes to orders',
    roles: ['admin', 'pharmacist', 'fulfillment', 'support'],
  },
  'refunds.create': { label: 'Cancel orders and refund items, up to the limit', roles: ['admin', 'support'] },
  'refunds.unlimited': { label: 'Refund any amount', roles: ['admin'] },
  'prescriptions.review': {
    label: 'Review, approve and reject prescriptions',
    roles: ['admin', 'pharmacist'],
  },
  'prescriptions.clear': {
    label: 'Transcribe prescriptions and clear or refuse their medicines, with a recorded license',
    roles: ['pharmacist'],
  },
  'health.read': {
    label: 'Read the health data and files of patients with an open case, or with a reason',
    roles: ['admin', 'pharmacist'],
  },
  'health.read-any': { label: 'Read the health data and files of any patient', roles: ['admin'] },
  'customers.read': { label: 'Find customers and see their contact details', roles: ['admin', 'support'] },
  'customers.manage': { label: 'Edit and delete accounts', roles: ['admin'] },
  'customers.export': { label: 'Export lists that contain customers', roles: ['admin'] },
  'roles.manage': { label: 'Change the roles of staff', roles: ['admin'] },
  'catalog.write': {
    label: 'Manage products, variants, manufacturers and imports',
    roles: ['admin', 'catalog-manager'],
  },
  'stock.read': {
    label: 'See stock and its history',
    roles: ['admin', 'pharmacist', 'fulfillment', 'catalog-manager'],
  },
  'stock.write': { label: 'Adjust stock', roles: ['admin', 'catalog-manager'] },
  'lots.quarantine': {
    label: 'Quarantine and release lots',
    roles: ['admin', 'pharmacist', 'catalog-manager'],
  },
  'costs.read': { label: 'See acquisition costs and margins', roles: ['admin', 'catalog-manager'] },
  'pharmacies.write': { label: 'Manage partner pharmacies', roles: ['admin'] },
  'reports.read': { label: 'See revenue and sales', roles: ['admin'] },
  'records.read': {
    label: 'Read the dispensing records of deleted accounts',
    roles: ['admin', 'pharmacist'],
  },
  'lists.read': {
    label: 'See the lists that orders are screened with',
    roles: ['admin', 'pharmacist', 'catalog-manager'],
  },
  'audit.read': { label: 'Read the audit log', roles: ['admin'] },
  'settings.write': { label: 'Change the shop’s settings', roles: ['admin'] },
} as const satisfies Record<string, PermissionRow>
export type Permission = keyof typeof permissionTable
export const permissions = Object.keys(permissionTable) as Permission[]

const isRole = (name: string): name is Role => Object.hasOwn(roleLabels, name)

/** Parses the roles of a row: names joined by commas. Unknown names grant nothing. */
export const parseRoles = (text: string): Role[] => text.split(',').filter(isRole)

/** The text that stores roles, always in the same order. */
export const formatRoles = (held: Iterable<Role>): string => {
  const set = new Set(held)
  return roles.filter((role) => set.has(role)).join(',')
}

/** "Admin, Pharmacist", or "User" for an account without a role. */
export const labelRoles = (held: readonly Role[]): string =>
  held.length === 0 ? 'User' : held.map((role) => roleLabels[role]).join(', ')

/** The same inside a sentence: "Admin and Pharmacist". */
export const listRoles = (held: readonly Role[]): string =>
  held.length === 0
    ? labelRoles(held)
    : new Intl.ListFormat('en-US').format(held.map((role) => roleLabels[role]))

/** Computes new roles from those that an account holds. */
export type RoleEdit = (held: readonly Role[]) => Role[]

/** Grants or removes the admin role and leaves the others (specification, section 6). */
export const withAdmin =
  (isAdmin: boolean): RoleEdit =>
  (held) => [...(isAdmin ? (['admin'] as const) : []), ...held.filter((role) => role !== 'admin')]

/** The permissions that any of these roles holds, in the table's order. */
export const permissionsOf = (held: readonly Role[]): Permission[] =>
  permissions.filter((name) => permissionTable[name].roles.some((role) => held.includes(role)))

/** What a change of roles adds and removes. */
export function compareRoles(
  before: readonly Role[],
  after: readonly Role[],
): { gained: Permission[]; lost: Permission[] } {
  const [old, next] = [permissionsOf(before), permissionsOf(after)]
  return {
    gained: next.filter((name) => !old.includes(name)),
    lost: old.filter((name) => !next.includes(name)),
  }
}

/** The part of a signed-in user that permissions depend on. */
export type PermissionHolder = {
  roles: readonly Role[]
  /** Empty while a session lacks the second factor that the shop requires of its staff. */
  permissions: ReadonlySet<Permission>
}

/** Whether someone holds a permission; a visitor holds none. */
export const can = (user: PermissionHolder | null | undefined, permission: Permission): boolean =>
  user?.permissions.has(permission) ?? false

/** Whether a user works here. */
export const isStaff = (user: PermissionHolder | null | undefined): boolean => (user?.roles.length ?? 0) > 0

/** Whether a session of the staff lacks the second factor that the shop requires. */
export const lacksRequiredFactor = (user: PermissionHolder | null | undefined): boolean =>
  isStaff(user) && user?.permissions.size === 0

export const missingFactorMessage = 'Set up two-step sign-in before you use the back office.'
