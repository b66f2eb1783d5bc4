import { listExpiredLots } from '#db/inventory/lots.ts'
import { utcDay } from '#domain/days.ts'
import type { Context } from '../context.ts'
import { expireLot } from './quarantine-lot.ts'

const lotsPerRead = 100

/**
 * Takes the lots that have expired out of the stock, each in its own transaction. Until then no
 * sale picks them. Returns how many there were.
 */
export async function expireLots(ctx: Context, signal?: AbortSignal): Promise<number> {
  for (let expired = 0; ;) {
    const lots = await listExpiredLots(ctx.db, { today: utcDay(ctx.now), limit: lotsPerRead })
    for (const { id } of lots) {
      if (signal?.aborted) return expired
      if (await expireLot(ctx, id)) expired++
    }
    if (lots.length < lotsPerRead) return expired
  }
}
