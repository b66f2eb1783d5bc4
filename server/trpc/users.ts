import { roles } from '#domain/accounts/permissions.ts'
import { accessChangeFields, factorResetFields } from '#domain/accounts/access-change-fields.ts'
import { profileChangesSchema } from '#domain/accounts/profile.ts'
import { maxRoleChanges, userQuerySchema } from '#domain/accounts/user-rows.ts'
import { gridTargetSchema } from '#domain/grid.ts'
import { z } from 'zod'
import {
  changeAccessWithChecks,
  deleteUserWithChecks,
  replaceRolesWithChecks,
} from '../second-checks/change-account.ts'
import { updateUser, getUser } from '../accounts/update-user.ts'
import { listUsersPage } from '../accounts/list-users-page.ts'
import { resetSecondFactor } from '../accounts/reset-second-factor.ts'
import { setAdmins } from '../accounts/set-admins.ts'
import { procedureFor, router } from './init.ts'
import { confirmed, gridInput, idSchema, versionedSchema } from './inputs.ts'

/** Strict: an omitted query would mean every account. */
const target = z.union([
  z.strictObject({ ids: z.array(z.string().max(64)).min(1).max(maxRoleChanges) }),
  z.strictObject({
    query: gridTargetSchema(userQuerySchema, ['role', 'status']),
  }),
])

const roleList = z.array(z.enum(roles)).max(roles.length)

export const usersRouter = router({
  list: procedureFor('customers.read')
    .input(gridInput(userQuerySchema))
    .query(({ ctx, input }) => listUsersPage(ctx, input)),
  profile: procedureFor('customers.manage')
    .input(idSchema)
    .query(({ ctx, input }) => getUser(ctx, input.id)),
  setRole: procedureFor('roles.manage')
    .input(z.object({ target, isAdmin: z.boolean() }))
    .mutation(({ ctx, input }) => setAdmins(ctx, input)),
  setRoles: procedureFor('roles.manage')
    .input(idSchema.extend({ before: roleList, roles: roleList, confirmed }))
    .mutation(({ ctx, input: { id: userId, confirmed: isConfirmed, ...change } }) =>
      replaceRolesWithChecks(ctx, { userId, isConfirmed, ...change }),
    ),
  resetSecondFactor: procedureFor('roles.manage')
    .input(idSchema.extend(factorResetFields))
    .mutation(({ ctx, input: { id: userId, reason } }) => resetSecondFactor(ctx, { userId, reason })),
  changeAccess: procedureFor('customers.manage')
    .input(z.object({ target, ...accessChangeFields, confirmed }))
    .mutation(({ ctx, input: { confirmed: isConfirmed, ...change } }) =>
      changeAccessWithChecks(ctx, { isConfirmed, ...change }),
    ),
  update: procedureFor('customers.manage')
    // Built per call: the schema refuses dates after today.
    .input((input: unknown) => versionedSchema.extend(profileChangesSchema(new Date()).shape).parse(input))
    .mutation(({ ctx, input: { id, ...changes } }) => updateUser(ctx, id, changes)),
  delete: procedureFor('customers.manage')
    .input(idSchema.extend({ confirmed }))
    .mutation(({ ctx, input: { id: userId, confirmed: isConfirmed } }) =>
      deleteUserWithChecks(ctx, { userId, isConfirmed }),
    ),
})
