import { takeOrdersToIndex } from '#db/accounts/person-tokens.ts'
import { lockUser } from '#db/accounts/users.ts'
import { indexFormerName } from '../accounts/find-customers.ts'
import { inTransaction, type Context } from '../context.ts'
import { openContent } from './sealed-order.ts'

/** So few that other writers hardly wait. */
const batchSize = 50

/**
 * Makes the orders of before findable by the names that they show, where their customers go by others now, until all are or `signal` says
 * stop. Later ones are as the name changes (`indexPerson`).
 */
export async function indexOrderCustomers(ctx: Context, signal: AbortSignal): Promise<void> {
  for (let isMore = true; isMore && !signal.aborted;) isMore = await inTransaction(ctx, indexBatch)
}

async function indexBatch(ctx: Context): Promise<boolean> {
  const rows = await takeOrdersToIndex(ctx.db, batchSize)
  const customers = new Map<string, { id: string; name: string; email: string }>()
  for (const row of rows) {
    const customer = customerOf(ctx, row)
    if (row.userId !== null && customer)
      customers.set(`${row.userId} ${JSON.stringify(customer)}`, { id: row.userId, ...customer })
  }
  for (const { id, name, email } of customers.values()) {
    // Under the user's lock: whoever changes the name at the same time comes before or after.
    if (await lockUser(ctx.db, id)) await indexFormerName(ctx, { id, email, firstName: name, lastName: null })
  }
  return rows.length === batchSize
}

/** One that cannot be opened leaves the others to be found, and the log says why. */
function customerOf(ctx: Context, row: { id: string; sealedOrder: string }) {
  try {
    return openContent(ctx.keys, row).customer
  } catch (error) {
    ctx.log.error({ err: error, orderId: row.id }, 'an order could not be read to be found by its name')
    return null
  }
}
