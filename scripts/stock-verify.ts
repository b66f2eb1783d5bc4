import { explainBreak } from '#server/checkout/explain-break.ts'
import { verifyStock } from '#server/checkout/verify-stock.ts'
import { startContext, type Context } from '#server/context.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { createLog } from '#server/log.ts'
import { runVerification } from '#server/monitoring/record-runs.ts'
import { createFindingsPrinter } from './print-findings.ts'
import { CommandError, readOptions, runCommand } from './run-command.ts'
import { openShopDatabase, readCommandEnv } from './shop-database.ts'

type Explanation = { rowId: string; email: string }

/**
 * `npm run stock:verify`: compares the stock of DATABASE_URL with its ledger, the checkouts and the
 * orders, alongside the running shop. Needs the shop's ENCRYPTION_KEYS, under which orders are
 * sealed. Findings go to stderr, one per line; the last line of stdout is a summary. Exits 1 on a
 * finding, and when it cannot finish; `/admin/status` shows both. With `--explain ROW --by E`, it
 * instead records in the audit log that the account has explained the ledger's break at the row
 * (docs/operations.md, "Stock").
 */
async function main(): Promise<number> {
  const explanation = readExplanation()
  const env = readCommandEnv()
  const db = await openShopDatabase(env.databaseUrl)
  try {
    const openContext = async () =>
      startContext({ db, log: createLog('warn'), keys: await openShopKeys(db, env) })
    if (explanation) return await explain(await openContext(), explanation)
    const { findings } = await runVerification(db, 'stock', async () => verify(await openContext()))
    return findings > 0 ? 1 : 0
  } finally {
    await db.destroy()
  }
}

/** Null when the stock is to be verified. */
function readExplanation(): Explanation | null {
  const text = { type: 'string' } as const
  const usage = 'npm run stock:verify -- [--explain ROW --by E]'
  const { explain, by } = readOptions(usage, { explain: text, by: text })
  if (explain === undefined && by === undefined) return null
  const [rowId = '', email = ''] = [explain?.trim(), by?.trim()]
  if (rowId === '') throw new CommandError('Add the row at which the ledger breaks: --explain ROW')
  if (email === '') throw new CommandError('Add the email of who decided it: --by name@example.com')
  return { rowId, email }
}

async function verify({ db, keys }: Context) {
  const summary = await verifyStock({ db, keys }, createFindingsPrinter())
  const { variants, transactions, orders, checkouts, explained, findings } = summary
  process.stdout.write(`variants=${variants} transactions=${transactions} orders=${orders} `)
  process.stdout.write(`checkouts=${checkouts} explained=${explained} findings=${findings}\n`)
  return summary
}

async function explain(ctx: Context, { rowId, email }: Explanation): Promise<number> {
  const { isNew, break: found } = await explainBreak(ctx, { rowId, email })
  const { variantId, endedAt, before } = found
  process.stdout.write(
    `Variant ${variantId}: the ledger ended at ${endedAt}, and ${rowId} starts at ${before}. `,
  )
  process.stdout.write(isNew ? `Explained by ${email}.\n` : 'It was explained before.\n')
  return 0
}

await runCommand(main)
