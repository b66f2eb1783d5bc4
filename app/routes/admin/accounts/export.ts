import { labelRoles } from '#domain/accounts/permissions.ts'
import { userQuerySchema } from '#domain/accounts/user-rows.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { listUsersPage } from '#server/accounts/list-users-page.ts'
import { redirect } from 'react-router'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { exportAction } from '../../../http/csv-reply.server.ts'

/** The export is a POST: a search for a person must not appear in a URL. */
export const loader = adminLoader('customers.export', async () => redirect(adminPaths.settings))

export const action = exportAction(adminPaths.settings, {
  name: 'users',
  schema: userQuerySchema,
  list: listUsersPage,
  columns: [
    ['User ID', (row) => row.id],
    ['First name', (row) => row.firstName],
    ['Last name', (row) => row.lastName],
    ['Email', (row) => row.email],
    ['Role', (row) => labelRoles(row.roles)],
    ['Status', (row) => (row.isSuspended ? 'Suspended' : 'Active')],
    ['Two-step sign-in', (row) => (row.hasSecondFactor ? 'yes' : 'no')],
    ['Orders', (row) => row.orderCount],
    ['Joined', (row) => row.createdAt],
  ],
})
