import { z } from 'zod'
import type { PersonName } from './accounts.ts'
import { gridQuerySchema } from '../grid.ts'
import { roles, type Role } from './permissions.ts'

/** An account in the back office's list: its identity, without health data. */
export type UserRow = PersonName & {
  id: string
  email: string
  roles: Role[]
  hasSecondFactor: boolean
  isSuspended: boolean
  orderCount: number
  /** ISO 8601. */
  createdAt: string
}

/** The values of the role filter; `users` are accounts without a role. */
export const roleFilters = ['admins', 'users', ...roles.filter((role) => role !== 'admin')] as const

/**
 * Names and email addresses are sealed, so only other columns can be sorted by. Ids are in order of
 * creation.
 */
export const userQuerySchema = gridQuerySchema({
  sorts: ['joined'],
  sort: 'joined',
  dir: 'desc',
  filters: {
    role: z.enum(roleFilters).optional().catch(undefined),
    status: z.enum(['active', 'suspended']).optional().catch(undefined),
  },
})
export type UserQuery = z.output<typeof userQuerySchema>

/** The result for one account of a bulk change. */
export type AccessResult = { id: string; name: string; error: string | null; isChanged: boolean }
export type RoleResult = AccessResult

/** How many accounts can change at once. */
export const maxRoleChanges = 1000
