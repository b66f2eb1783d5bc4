import { crashOften } from './crash-often.ts'
import type { Fault } from './journal.ts'

/** SIGKILL at a random moment. How soon it is back is judged in the long form: the short one shares its machine with other tests. */
export const kills: Fault = (site, times, { isShort }) =>
  crashOften(
    site,
    times,
    async (shop, { port }) => {
      await shop.kill()
      return site.start({ port })
    },
    isShort ? { readyLimitMs: Infinity } : {},
  )
