import type { Db } from '#db/engine/client.ts'
import { eraseDeleted, findOldestErasure } from '#db/crypto/erasures.ts'
import { addLocalKey } from '#server/crypto/local-secrets.ts'
import { rotateKeys } from '#server/crypto/rotate-keys.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError, readOptions, runCommand } from './run-command.ts'
import { openShopDatabase, readCommandEnv } from './shop-database.ts'

const [attempts, pauseMs] = [20, 500]

/**
 * Erases the replaced keys from the database's files. A running shop does this too; without one,
 * only this command does. False when reads blocked it for too long.
 */
async function eraseReplaced(db: Db): Promise<boolean> {
  for (let i = 0; i < attempts; i++) {
    if (i > 0) await sleep(pauseMs)
    await eraseDeleted(db)
    if ((await findOldestErasure(db)) === null) return true
  }
  return false
}

/**
 * `npm run keys:rotate`: reseals every value in DATABASE_URL that an older key sealed, with the
 * first key of ENCRYPTION_KEYS, alongside the running shop. In dev and demo it also creates that
 * key. The last line of stdout is a summary. Exits 1 when a value remains under another key.
 */
async function main(): Promise<number> {
  readOptions('npm run keys:rotate', {})
  const env = readCommandEnv()
  const db = await openShopDatabase(env.databaseUrl)
  try {
    const ring = env.encryptionKeys ?? addLocalKey(env.databaseUrl)
    if (ring === null) {
      throw new CommandError('Set ENCRYPTION_KEYS to the keys of the shop, the new key first.')
    }
    const { rewrapped, faults, isIncomplete: isOutrun } = await rotateKeys(db, ring)
    for (const [place, count] of rewrapped) process.stdout.write(`${place} ${count}\n`)
    for (const [fault, count] of faults) process.stderr.write(`${fault} (rows: ${count}).\n`)
    if (isOutrun) {
      process.stderr.write(
        'A process still seals with an older key. Restart the shop, then run this again.\n',
      )
    }
    if (!(await eraseReplaced(db))) {
      process.stdout.write(
        'The replaced keys are still in the database’s files. The running shop will erase them.\n',
      )
    }
    const sum = (counts: Map<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0)
    process.stdout.write(`rewrapped=${sum(rewrapped)} left=${sum(faults)} key=${ring.current}\n`)
    return faults.size > 0 || isOutrun ? 1 : 0
  } finally {
    await db.destroy()
  }
}

await runCommand(main)
