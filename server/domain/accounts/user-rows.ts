import { z } from 'zod'
import type { PersonName } from './accounts.ts'
import { gridQuerySchema } from '../grid.ts'

/** An account in the back office's list: who it is, and nothing of what they told the shop of their health. */
export type UserRow = PersonName & {
  id: string
  email: string
  isAdmin: boolean
  hasSecondFactor: boolean
  orderCount: number
  /** ISO 8601. */
  createdAt: string
}

/** Names and e-mail addresses stand sealed: only what does not can be sorted by. Ids tell when an account was made. */
export const userQuerySchema = gridQuerySchema({
  sorts: ['joined'],
  sort: 'joined',
  dir: 'desc',
  filters: { role: z.enum(['admins', 'users']).optional().catch(undefined) },
})
export type UserQuery = z.output<typeof userQuerySchema>

/** What became of one account of many whose role was to change. */
export type RoleResult = { id: string; name: string; error: string | null; isChanged: boolean }

/** How many accounts' roles may change at once. */
export const maxRoleChanges = 1000
