import { readEnv } from '#server/env.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { recordVerification } from '#server/monitoring/record-runs.ts'
import { createFindingsPrinter } from './print-findings.ts'
import { readOptions, runCommand } from './run-command.ts'
import { openShopDatabase } from './shop-database.ts'

/**
 * `npm run stock:verify`: compares the stock of DATABASE_URL with its ledger, the checkouts and the
 * orders, alongside the running shop. Needs the shop's ENCRYPTION_KEYS, under which orders are
 * sealed. Findings go to stderr, one per line; the last line of stdout is a summary. Exits 1 on a
 * finding.
 */
async function main(): Promise<number> {
  readOptions('npm run stock:verify', {})
  const env = readEnv('dev', process.env)
  const db = await openShopDatabase(env.databaseUrl)
  const onFinding = createFindingsPrinter()
  const startedAt = new Date()
  try {
    const keys = await openShopKeys(db, env)
    const { variants, transactions, orders, checkouts, findings } = await verifyStock({ db, keys }, onFinding)
    process.stdout.write(
      `variants=${variants} transactions=${transactions} orders=${orders} checkouts=${checkouts} findings=${findings}\n`,
    )
    await recordVerification(db, { name: 'stock', findings, startedAt, now: new Date() })
    return findings > 0 ? 1 : 0
  } finally {
    await db.destroy()
  }
}

await runCommand(main)
