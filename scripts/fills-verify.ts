import { readEnv } from '#server/env.ts'
import { verifyFills } from '#server/reviews/verify-fills.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { recordVerification } from '#server/monitoring/record-runs.ts'
import { createFindingsPrinter } from './print-findings.ts'
import { readOptions, runCommand } from './run-command.ts'
import { openShopDatabase } from './shop-database.ts'

/**
 * `npm run fills:verify`: compares the fills of DATABASE_URL with what prescriptions authorize, the
 * reviews, the orders and their payments, alongside the running shop. Needs the shop's
 * ENCRYPTION_KEYS. Findings go to stderr, one per line; the last line of stdout is a summary. Exits
 * 1 on a finding.
 */
async function main(): Promise<number> {
  readOptions('npm run fills:verify', {})
  const env = readEnv('dev', process.env)
  const db = await openShopDatabase(env.databaseUrl)
  const onFinding = createFindingsPrinter()
  const startedAt = new Date()
  try {
    const keys = await openShopKeys(db, env)
    const { items, fills, orders, findings } = await verifyFills({ db, keys }, onFinding)
    process.stdout.write(`items=${items} fills=${fills} orders=${orders} findings=${findings}\n`)
    await recordVerification(db, { name: 'fills', findings, startedAt, now: new Date() })
    return findings > 0 ? 1 : 0
  } finally {
    await db.destroy()
  }
}

await runCommand(main)
