import { countPrescriptions as countRows } from '#db/prescriptions/prescriptions.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'

/** How many prescriptions the signed-in user has, without reading them. Throws UNAUTHENTICATED. */
export const countPrescriptions = (ctx: Context): Promise<number> => countRows(ctx.db, requireUser(ctx).id)
