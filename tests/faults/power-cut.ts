import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { crashOften } from './crash-often.ts'
import { openCuttableDisk } from './cuttable-disk.ts'
import type { Fault } from './journal.ts'
import { openSite } from './site.ts'

/** The power of the disk is cut, with the shop's database on it. */
export const powerCut: Fault = async (_site, times) => {
  const disk = openCuttableDisk()
  try {
    const site = openSite('sqlite', `sqlite:${join(disk.folder, 'shop.sqlite')}`)
    try {
      return await crashOften(site, times, async (shop, journal) => {
        journal.isBroken = true
        disk.cut()
        // A moment in which it may acknowledge what is not kept.
        await sleep(randomInt(20))
        await shop.kill()
        journal.isBroken = false
        disk.mend()
      })
    } finally {
      await site.close()
    }
  } finally {
    disk.remove()
  }
}
