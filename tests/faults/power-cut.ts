import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { crashRepeatedly } from './crash-repeatedly.ts'
import { openCuttableDisk, type CuttableDisk } from './cuttable-disk.ts'
import type { Fault, Outcome } from './journal.ts'
import { withOwnPostgres } from './own-postgres.ts'
import { openSite, type Site } from './site.ts'

/** A short time in which the shop might acknowledge lost writes. */
const maxDelayMs = 20

/** Cuts the power of the disk with the shop's database. */
export const powerCut: Fault = async ({ engine }, times) => {
  const disk = openCuttableDisk()
  try {
    return await (engine === 'sqlite' ? onSqlite(disk, times) : onPostgres(disk, times))
  } finally {
    await disk.remove()
  }
}

const onSqlite = (disk: CuttableDisk, times: number): Promise<Outcome> =>
  cutPowerRepeatedly(openSite('sqlite', `sqlite:${join(disk.folder, 'shop.sqlite')}`), disk, times, {
    crash: async () => {},
    start: async () => {},
  })

const onPostgres = (disk: CuttableDisk, times: number): Promise<Outcome> =>
  withOwnPostgres(disk.folder, (postgres) =>
    cutPowerRepeatedly(openSite('postgres', postgres.url), disk, times, postgres),
  )

/** @param server another process with files on the disk */
async function cutPowerRepeatedly(
  site: Site,
  disk: CuttableDisk,
  times: number,
  server: { crash: () => Promise<void>; start: () => Promise<void> },
): Promise<Outcome> {
  try {
    return await crashRepeatedly(site, times, async (shop, { journal, restart }) => {
      journal.isBroken = true
      await disk.cut()
      await sleep(randomInt(maxDelayMs))
      await shop.kill()
      await server.crash()
      journal.isBroken = false
      await disk.remount()
      await server.start()
      return restart()
    })
  } finally {
    await site.close()
  }
}
