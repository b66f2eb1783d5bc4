import { readEnv } from '#server/env.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { CommandRefused, openShopDatabase, runCommand } from './shop-database.ts'

/**
 * `npm run stock:verify`: holds the stock of DATABASE_URL against its ledger, the checkouts and the orders, beside the running shop. Needs
 * the shop's own ENCRYPTION_KEYS, under which orders stand. Findings go to stderr, a line each; the last line of stdout is what it
 * looked at. Exit 1 on a finding.
 */
const shownFindings = 100

async function main(): Promise<number> {
  const env = readEnv('dev', process.env)
  const db = await openShopDatabase(env.databaseUrl)
  let shown = 0
  const onFinding = (sentence: string): void => {
    if (shown < shownFindings) process.stderr.write(`${sentence}\n`)
    if (shown === shownFindings) process.stderr.write('… and more.\n')
    shown++
  }
  try {
    const keys = await openShopKeys(db, env).catch((error: unknown) => {
      throw new CommandRefused(error instanceof Error ? error.message : String(error))
    })
    const { variants, transactions, orders, checkouts, findings } = await verifyStock({ db, keys }, onFinding)
    process.stdout.write(
      `variants=${variants} transactions=${transactions} orders=${orders} checkouts=${checkouts} findings=${findings}\n`,
    )
    return findings > 0 ? 1 : 0
  } finally {
    await db.destroy()
  }
}

await runCommand(main)
