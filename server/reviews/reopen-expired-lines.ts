import type { ItemRow } from '#db/dispensing/items.ts'
import { listItemsToShip, reopenLinesOfItem } from '#db/dispensing/line-reviews.ts'
import { lockUser } from '#db/accounts/users.ts'
import { utcDay } from '#domain/days.ts'
import { lastValidDay } from '#domain/dispensing/fill-rules.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { readItem } from '../dispensing/item-reader.ts'

type ReopenContext = Pick<Context, 'db' | 'keys' | 'now'>

/**
 * Returns cleared lines to the queue whose item has expired before they shipped
 * (docs/dispensing.md, rule 7). Until then the shipping guard refuses them. An item that cannot be
 * read does not keep the others from the queue; the failures are thrown at the end.
 */
export async function reopenExpiredLines(ctx: ReopenContext): Promise<void> {
  const failures: Error[] = []
  for (const row of await listItemsToShip(ctx.db)) {
    await reopenIfExpired(ctx, row).catch((error: unknown) =>
      failures.push(new Error(`Item ${row.id} could not be checked.`, { cause: error })),
    )
  }
  if (failures.length > 0)
    throw new AggregateError(failures, failures.map(({ message }) => message).join(' '))
}

async function reopenIfExpired({ db, keys, now }: ReopenContext, row: ItemRow): Promise<void> {
  const key = await openUserKey({ db, keys }, row.userId)
  if (!key || lastValidDay(readItem(key, row)) >= utcDay(now)) return
  await db.transaction().execute(async (tx) => {
    if (await lockUser(tx, row.userId)) await reopenLinesOfItem(tx, row.id)
  })
}
