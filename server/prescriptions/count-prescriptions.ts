import { countPrescriptions as countRows } from '#db/prescriptions.ts'
import { requireUser } from '../accounts/require-user.ts'
import type { Context } from '../context.ts'

/** How many prescriptions the signed-in user has; says nothing of what they are. Throws UNAUTHENTICATED. */
export const countPrescriptions = (ctx: Context): Promise<number> => countRows(ctx.db, requireUser(ctx).id)
