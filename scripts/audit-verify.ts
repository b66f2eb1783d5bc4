import { replaceAuditResult } from '#db/audit/audit-checks.ts'
import type { Db } from '#db/engine/client.ts'
import { openHeadStore } from '#server/audit/open-head-store.ts'
import { parseHead, type Head } from '#server/audit/saved-heads.ts'
import { verifyAudit } from '#server/audit/verify-audit.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { runVerification } from '#server/monitoring/record-runs.ts'
import { createFindingsPrinter } from './print-findings.ts'
import { CommandError, readOptions, runCommand } from './run-command.ts'
import { openShopDatabase, readCommandEnv } from './shop-database.ts'

/**
 * `npm run audit:verify -- [--head SEQ:HASH]`: verifies the audit log of DATABASE_URL, alongside
 * the running shop, also against the heads in the file of AUDIT_HEADS. Needs the shop's
 * ENCRYPTION_KEYS. Findings go to stderr, one per line; the last line of stdout is a summary.
 * Exits 1 on a finding, and when it cannot finish. `/admin/status` shows both.
 */
function readKnownHeads(): Head[] {
  const usage = 'npm run audit:verify -- [--head SEQ:HASH]'
  const { head: text } = readOptions(usage, { head: { type: 'string' } })
  if (text === undefined) return []
  const head = parseHead(text)
  if (!head) throw new CommandError('--head must be SEQ:HASH, as printed in the summary and the log.')
  return [head]
}

async function* allHeads(known: readonly Head[], saved: AsyncIterable<Head> | null) {
  yield* known
  if (saved) yield* saved
}

async function main(): Promise<number> {
  const known = readKnownHeads()
  const env = readCommandEnv()
  const db = await openShopDatabase(env.databaseUrl)
  try {
    const { findings } = await runVerification(db, 'audit', async () => {
      const keys = await openShopKeys(db, env)
      const saved = openHeadStore(env)?.read?.() ?? null
      const summary = await verify(db, { keys, savedHeads: allHeads(known, saved) })
      // Otherwise the alert AuditFindings would page until the next daily check.
      await replaceAuditResult(db, summary)
      return summary
    })
    return findings > 0 ? 1 : 0
  } finally {
    await db.destroy()
  }
}

async function verify(db: Db, options: Pick<Parameters<typeof verifyAudit>[1], 'keys' | 'savedHeads'>) {
  const summary = await verifyAudit(db, { ...options, onFinding: createFindingsPrinter() })
  const { chained, pending, findings, heads, head } = summary
  if (heads > 0) process.stdout.write(`saved heads compared: ${heads}\n`)
  process.stdout.write(`chained=${chained} waiting=${pending} findings=${findings} head=${head ?? 'none'}\n`)
  return summary
}

await runCommand(main)
