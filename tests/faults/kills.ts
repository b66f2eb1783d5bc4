import { crashOften } from './crash-often.ts'
import type { Fault } from './journal.ts'

/** SIGKILL at a random moment. */
export const kills: Fault = (site, times) =>
  crashOften(site, times, async (shop, { port }) => {
    await shop.kill()
    return site.start({ port })
  })
