import { setTimeout as sleep } from 'node:timers/promises'
import { crashRepeatedly } from './crash-repeatedly.ts'
import type { Fault } from './journal.ts'
import { withOwnPostgres } from './own-postgres.ts'
import { openSite } from './site.ts'

const recoveryLimitMs = 5000

/** Postgres stops at once and restarts; the shop keeps running. */
export const postgresCrash: Fault = (_site, times) =>
  withOwnPostgres(null, async (postgres) => {
    const site = openSite('postgres', postgres.url)
    try {
      return await crashRepeatedly(site, times, async (shop, { journal }) => {
        await postgres.crash()
        await postgres.start()
        const began = performance.now()
        while (!(await isReady(shop.origin))) {
          if (performance.now() - began > recoveryLimitMs) {
            journal.findings.push(`the shop was not back ${recoveryLimitMs} ms after its database`)
            break
          }
          await sleep(20)
        }
        return { ...shop, readyMs: performance.now() - began }
      })
    } finally {
      await site.close()
    }
  })

async function isReady(origin: string): Promise<boolean> {
  const { ok } = await fetch(`${origin}/readyz`)
  return ok
}
