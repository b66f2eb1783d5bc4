import { dequeueOrdersToIndex } from '#db/accounts/person-tokens.ts'
import { lockUser } from '#db/accounts/users.ts'
import { indexFormerName } from '../accounts/find-customers.ts'
import { inTransaction, type Context } from '../context.ts'
import { tryReadOrderContent } from './order-reader.ts'

/** Small enough that other writers barely wait. */
const batchSize = 50

/**
 * Indexes older orders by the customer names that they show, where the customer has changed name
 * since. Stops when all are indexed or `signal` aborts. A name change indexes newer orders itself
 * (`indexPerson`).
 */
export async function indexOrderCustomers(ctx: Context, signal: AbortSignal): Promise<void> {
  for (let isMore = true; isMore && !signal.aborted;) isMore = await inTransaction(ctx, indexBatch)
}

async function indexBatch(ctx: Context): Promise<boolean> {
  const rows = await dequeueOrdersToIndex(ctx.db, batchSize)
  const customers = new Map<string, { id: string; name: string; email: string }>()
  for (const row of rows) {
    const customer = tryReadOrderContent(ctx, row)?.customer
    if (row.userId !== null && customer)
      customers.set(`${row.userId} ${JSON.stringify(customer)}`, { id: row.userId, ...customer })
  }
  for (const { id, name, email } of customers.values()) {
    // Under the user's lock, so that a concurrent name change runs before or after.
    if (await lockUser(ctx.db, id)) await indexFormerName(ctx, { id, email, firstName: name, lastName: null })
  }
  return rows.length === batchSize
}
