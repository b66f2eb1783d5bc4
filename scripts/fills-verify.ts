import { verifyFills } from '#server/reviews/verify-fills.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { runVerification } from '#server/monitoring/record-runs.ts'
import { createFindingsPrinter } from './print-findings.ts'
import { readOptions, runCommand } from './run-command.ts'
import { openShopDatabase, readCommandEnv } from './shop-database.ts'

/**
 * `npm run fills:verify`: compares the fills of DATABASE_URL with what prescriptions authorize, the
 * reviews, the orders and their payments, alongside the running shop. Needs the shop's
 * ENCRYPTION_KEYS. Findings go to stderr, one per line; the last line of stdout is a summary. Exits
 * 1 on a finding, and when it cannot finish. `/admin/status` shows both.
 */
async function main(): Promise<number> {
  readOptions('npm run fills:verify', {})
  const env = readCommandEnv()
  const db = await openShopDatabase(env.databaseUrl)
  try {
    const { findings } = await runVerification(db, 'fills', async () =>
      verify({ db, keys: await openShopKeys(db, env) }),
    )
    return findings > 0 ? 1 : 0
  } finally {
    await db.destroy()
  }
}

async function verify(ctx: Parameters<typeof verifyFills>[0]) {
  const summary = await verifyFills(ctx, createFindingsPrinter())
  const { items, fills, orders, findings } = summary
  process.stdout.write(`items=${items} fills=${fills} orders=${orders} findings=${findings}\n`)
  return summary
}

await runCommand(main)
