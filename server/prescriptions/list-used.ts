import { listUsedPrescriptions } from '#db/prescriptions/prescriptions.ts'
import type { Context } from '../context.ts'
import { requireUser } from '../require-user.ts'

/**
 * The signed-in user's prescriptions that `deletePrescription` refuses, because an order uses them.
 * Throws UNAUTHENTICATED.
 */
export const listUsed = (ctx: Context): Promise<ReadonlySet<string>> =>
  listUsedPrescriptions(ctx.db, requireUser(ctx).id)
