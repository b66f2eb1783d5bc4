import { verifyAudit } from '#server/audit/verify-audit.ts'
import { readEnv } from '#server/env.ts'
import { parseArgs } from 'node:util'
import { CommandRefused, openShopDatabase, runCommand } from './shop-database.ts'

/**
 * `npm run audit:verify -- [--head SEQ:HASH]`: walks the audit log of DATABASE_URL, beside the running shop. Findings go to stderr,
 * a line each; the last line of stdout is the count. Exit 1 on a finding.
 */
const shownFindings = 100

function readHead(): string | undefined {
  const { head } = parseArgs({ options: { head: { type: 'string' } } }).values
  if (head !== undefined && !/^\d{1,15}:[\w-]{43}$/.test(head)) {
    throw new CommandRefused('--head is SEQ:HASH, as the summary and the log have it.')
  }
  return head
}

async function main(): Promise<number> {
  const knownHead = readHead()
  const db = await openShopDatabase(readEnv('dev', process.env).databaseUrl)
  let shown = 0
  const onFinding = (sentence: string): void => {
    if (shown < shownFindings) process.stderr.write(`${sentence}\n`)
    if (shown === shownFindings) process.stderr.write('… and more.\n')
    shown++
  }
  try {
    const { chained, waiting, findings, head } = await verifyAudit(db, {
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
