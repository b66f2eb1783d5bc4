import { verifyAudit } from '#server/audit/verify-audit.ts'
import { readEnv } from '#server/env.ts'
import { parseArgs } from 'node:util'
import { CommandRefused, openShopDatabase, runCommand } from './shop-database.ts'

/**
 * `npm run audit:verify -- [--head SEQ:HASH]`: verifies the audit log of DATABASE_URL, alongside
 * the running shop. Findings go to stderr, one per line; the last line of stdout is a summary.
 * Exits 1 on a finding.
 */
const maxShownFindings = 100

function readHead(): string | undefined {
  const { head } = parseArgs({ options: { head: { type: 'string' } } }).values
  if (head !== undefined && !/^\d{1,15}:[\w-]{43}$/.test(head)) {
    throw new CommandRefused('--head must be SEQ:HASH, as printed in the summary and the log.')
  }
  return head
}

async function main(): Promise<number> {
  const knownHead = readHead()
  const db = await openShopDatabase(readEnv('dev', process.env).databaseUrl)
  let shown = 0
  const onFinding = (sentence: string): void => {
    if (shown < maxShownFindings) process.stderr.write(`${sentence}\n`)
    if (shown === maxShownFindings) process.stderr.write('… and more.\n')
    shown++
  }
  try {
    const {
      chained,
      pending: waiting,
      findings,
      head,
    } = await verifyAudit(db, {
      onFinding,
      ...(knownHead !== undefined && { knownHead }),
    })
    process.stdout.write(
      `chained=${chained} waiting=${waiting} findings=${findings} head=${head ?? 'none'}\n`,
    )
    return findings > 0 ? 1 : 0
  } finally {
    await db.destroy()
  }
}

await runCommand(main)
