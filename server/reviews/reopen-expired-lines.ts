import { listItemsToShip, reopenLinesOfItem } from '#db/dispensing/line-reviews.ts'
import { lockUser } from '#db/accounts/users.ts'
import { lastValidDay } from '#domain/dispensing/fill-rules.ts'
import { utcDay } from '#domain/prescriptions/prescriptions.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { readItem } from '../dispensing/item-reader.ts'

/**
 * Returns cleared lines to the queue whose item has expired before they shipped
 * (docs/dispensing.md, rule 7). Until then the shipping guard refuses them.
 */
export async function reopenExpiredLines({
  db,
  keys,
  now,
}: Pick<Context, 'db' | 'keys' | 'now'>): Promise<void> {
  for (const row of await listItemsToShip(db)) {
    const key = await openUserKey({ db, keys }, row.userId)
    if (!key || lastValidDay(readItem(key, row)) >= utcDay(now)) continue
    await db.transaction().execute(async (tx) => {
      if (await lockUser(tx, row.userId)) await reopenLinesOfItem(tx, row.id)
    })
  }
}
