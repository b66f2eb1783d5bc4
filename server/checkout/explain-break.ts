import { findCredentials } from '#db/accounts/credentials.ts'
import { findRoles } from '#db/accounts/users.ts'
import { lockVariants } from '#db/inventory/lock-variants.ts'
import { permissionsOf } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { hashEmail } from '../accounts/blind-indexes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { breakExplained, explainedObject, readExplainedBreaks } from '../ledger/explained-breaks.ts'
import { verifyStock, type FoundBreak } from './verify-stock.ts'

/**
 * Records in the audit log who explained a break of the ledger, from the command line of the shop:
 * the ledger is append-only, so a break stays. `verifyStock` counts it as explained from then on.
 * `isNew` is false when it was explained before. Throws NOT_FOUND when the address has no account
 * or the ledger has no break at the row, and FORBIDDEN when the account may not adjust stock.
 */
export async function explainBreak(
  ctx: Context,
  { rowId, email }: { rowId: string; email: string },
): Promise<{ isNew: boolean; break: FoundBreak }> {
  const actorId = await findStockKeeper(ctx, email)
  const breaks = new Map<string, FoundBreak>()
  await verifyStock(
    ctx,
    () => {},
    (found) => void breaks.set(found.id, found),
  )
  const found = breaks.get(rowId)
  if (!found) throw new AppError('NOT_FOUND', `The ledger doesn’t break at ${rowId}.`)
  const objectId = explainedObject(ctx.keys, found)
  return inTransaction(ctx, async (ctx) => {
    // A second call at the same time waits here, and reads the entry of the first.
    await lockVariants(ctx.db, [found.variantId])
    const isNew = !(await readExplainedBreaks(ctx.db)).has(objectId)
    if (isNew) await recordAudit(ctx, { ...breakExplained, actorId, objectId })
    return { isNew, break: found }
  })
}

/** The id of an account that may adjust stock. */
async function findStockKeeper(ctx: Context, email: string): Promise<string> {
  const user = await findCredentials(ctx.db, hashEmail(ctx, email))
  if (!user) throw new AppError('NOT_FOUND', `${email} doesn’t have an account.`)
  const permissions = permissionsOf((await findRoles(ctx.db, user.id)) ?? [])
  if (user.suspendedAt !== null || !permissions.includes('stock.write'))
    throw new AppError('FORBIDDEN', `${email} isn’t allowed to adjust stock.`)
  return user.id
}
