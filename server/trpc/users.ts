import { profileChanges } from '#domain/accounts/profile.ts'
import { maxRoleChanges, userQuerySchema } from '#domain/accounts/user-rows.ts'
import { z } from 'zod'
import { deleteUser } from '../accounts/delete-user.ts'
import { editUser, readUser } from '../accounts/update-user.ts'
import { listUsersPage } from '../accounts/list-users-page.ts'
import { setAdmins } from '../accounts/set-admins.ts'
import { adminProcedure, router } from './init.ts'
import { gridInput, idSchema, versionedSchema } from './inputs.ts'

/** Named to the letter: a query that is left out would be everybody. */
const target = z.union([
  z.strictObject({ ids: z.array(z.string().max(64)).min(1).max(maxRoleChanges) }),
  z.strictObject({
    query: z.record(z.string(), z.string()).transform((params) => userQuerySchema.parse(params)),
  }),
])

export const usersRouter = router({
  list: adminProcedure.input(gridInput(userQuerySchema)).query(({ ctx, input }) => listUsersPage(ctx, input)),
  profile: adminProcedure.input(idSchema).query(({ ctx, input }) => readUser(ctx, input.id)),
  setRole: adminProcedure
    .input(z.object({ target, isAdmin: z.boolean() }))
    .mutation(({ ctx, input }) => setAdmins(ctx, input)),
  update: adminProcedure
    // What is a date of the future is so on the day of the call.
    .input((input: unknown) => versionedSchema.extend(profileChanges(new Date()).shape).parse(input))
    .mutation(({ ctx, input: { id, ...changes } }) => editUser(ctx, id, changes)),
  delete: adminProcedure.input(idSchema).mutation(({ ctx, input }) => deleteUser(ctx, input.id)),
})
