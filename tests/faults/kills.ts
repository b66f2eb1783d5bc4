import { crashRepeatedly } from './crash-repeatedly.ts'
import type { Fault } from './journal.ts'

/**
 * SIGKILL at a random moment. Only the long form checks the restart time: the short one shares its
 * machine with other tests.
 */
export const kills: Fault = (site, times, { isShort }) =>
  crashRepeatedly(
    site,
    times,
    async (shop, { restart }) => {
      await shop.kill()
      return restart()
    },
    isShort ? { readyLimitMs: Infinity } : {},
  )
