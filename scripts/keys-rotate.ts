import { readEnv } from '#server/env.ts'
import { addKeptKey } from '#server/crypto/local-secrets.ts'
import { rotateKeys } from '#server/crypto/rotate-keys.ts'
import { CommandRefused, openShopDatabase, runCommand } from './shop-database.ts'

/**
 * `npm run keys:rotate`: seals everything in DATABASE_URL that stands under an older key under the first of ENCRYPTION_KEYS, beside
 * the running shop. In development and the demo it makes that key, too. The last line of stdout is the count. Exit 1 when something
 * is left under another key.
 */
async function main(): Promise<number> {
  const env = readEnv('dev', process.env)
  const db = await openShopDatabase(env.databaseUrl)
  try {
    const ring = env.encryptionKeys ?? addKeptKey(env.databaseUrl)
    if (ring === null) {
      throw new CommandRefused('Set ENCRYPTION_KEYS to the keys of the shop, the new one first.')
    }
    const { rewrapped, faults, isOutrun } = await rotateKeys(db, ring)
    for (const [place, count] of rewrapped) process.stdout.write(`${place} ${count}\n`)
    for (const [fault, count] of faults) process.stderr.write(`${fault} (rows: ${count}).\n`)
    if (isOutrun) {
      process.stderr.write(
        'A process still seals under an older key. Restart the shop, then run this again.\n',
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
