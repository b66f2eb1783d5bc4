import { listChain, listDuplicateIds, listLogStates, getPendingSummary } from '#db/audit/audit.ts'
import type { Db } from '#db/engine/client.ts'
import { chainHash } from './chain-hash.ts'

const batch = 2000

export type AuditSummary = {
  /** Links that were verified. */
  chained: number
  /** Rows that the chaining job has not processed yet. */
  pending: number
  findings: number
  /** The end of the chain as `seq:hash`; null when there is none. */
  head: string | null
}

/**
 * Verifies the audit log's chain from its first row, alongside the running shop and in bounded
 * memory. Reports every row that was changed, removed, moved or duplicated since it was chained.
 * @param knownHead an earlier head of the chain that was saved elsewhere, as `seq:hash`. Without
 * one, cutting off the newest rows of both log and chain cannot be detected
 * @param onFinding called with one sentence per finding, without values
 */
export async function verifyAudit(
  db: Db,
  { knownHead, onFinding }: { knownHead?: string; onFinding: (sentence: string) => void },
): Promise<AuditSummary> {
  let findings = 0
  const report = (sentence: string): void => {
    findings++
    onFinding(sentence)
  }
  const head = await walkChain(db, report)
  if (knownHead !== undefined) await checkKnownHead(db, knownHead, report)
  for (const id of await listDuplicateIds(db)) report(`${id} appears twice.`)
  await walkLog(db, report)
  const { count, missingIds: lost } = await getPendingSummary(db)
  for (const id of lost) report(`Row ${id} is pending and is not in the log.`)
  return { chained: head.chained, pending: count, findings, head: head.text }
}

/**
 * Checks each link against the previous one. After a mismatch it continues from the stored hash, so
 * each fault is reported once.
 */
async function walkChain(
  db: Db,
  report: (sentence: string) => void,
): Promise<{ chained: number; text: string | null }> {
  let seq = 0
  let chained = 0
  /** Null after a gap: the link that follows cannot be checked. */
  let previous: string | null = ''
  for (;;) {
    const links = await listChain(db, { after: seq, limit: batch })
    for (const link of links) {
      if (link.seq > seq + 1) {
        report(
          `The chain is missing ${link.seq === seq + 2 ? `link ${seq + 1}` : `links ${seq + 1} to ${link.seq - 1}`}.`,
        )
        previous = null
      }
      if (!link.row) report(`Row ${link.auditId}, link ${link.seq} of the chain, is not in the log.`)
      else if (previous !== null && chainHash(previous, link.row) !== link.hash) {
        report(`Row ${link.auditId}, link ${link.seq} of the chain, has changed since it was chained.`)
      }
      seq = link.seq
      previous = link.hash
      chained++
    }
    if (links.length < batch) return { chained, text: seq > 0 ? `${seq}:${previous}` : null }
  }
}

async function checkKnownHead(db: Db, knownHead: string, report: (sentence: string) => void): Promise<void> {
  const [seq = '', hash] = knownHead.split(':')
  const [link] = await listChain(db, { after: Number(seq) - 1, limit: 1 })
  if (link?.seq !== Number(seq)) report(`The chain ends before link ${seq}, which it used to contain.`)
  else if (link.hash !== hash) report(`Link ${seq} of the chain does not match the saved head.`)
}

/** Every row of the log is either chained or pending. */
async function walkLog(db: Db, report: (sentence: string) => void): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await listLogStates(db, { after, limit: batch })
    for (const { id, seq, isPending: isWaiting } of rows) {
      if (seq === null && !isWaiting) report(`Row ${id} of the log is neither chained nor pending.`)
      if (seq !== null && isWaiting) report(`Row ${id}, link ${seq} of the chain, is pending again.`)
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < batch) return
  }
}
