import { verifyAudit } from '#server/audit/verify-audit.ts'
import { readEnv } from '#server/env.ts'
import { parseArgs } from 'node:util'
import { createFindingsPrinter } from './print-findings.ts'
import { CommandError, openShopDatabase, runCommand } from './shop-database.ts'

/**
 * `npm run audit:verify -- [--head SEQ:HASH]`: verifies the audit log of DATABASE_URL, alongside
 * the running shop. Findings go to stderr, one per line; the last line of stdout is a summary.
 * Exits 1 on a finding.
 */
function readHead(): string | undefined {
  const { head } = parseArgs({ options: { head: { type: 'string' } } }).values
  if (head !== undefined && !/^\d{1,15}:[\w-]{43}$/.test(head)) {
    throw new CommandError('--head must be SEQ:HASH, as printed in the summary and the log.')
  }
  return head
}

async function main(): Promise<number> {
  const knownHead = readHead()
  const db = await openShopDatabase(readEnv('dev', process.env).databaseUrl)
  const onFinding = createFindingsPrinter()
  try {
    const { chained, pending, findings, head } = await verifyAudit(db, {
      onFinding,
      ...(knownHead !== undefined && { knownHead }),
    })
    process.stdout.write(
      `chained=${chained} waiting=${pending} findings=${findings} head=${head ?? 'none'}\n`,
    )
    return findings > 0 ? 1 : 0
  } finally {
    await db.destroy()
  }
}

await runCommand(main)
