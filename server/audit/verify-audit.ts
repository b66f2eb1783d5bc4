import { getPendingSummary, listChain, listDuplicateIds, listHashes, listLogStates } from '#db/audit/audit.ts'
import type { Db } from '#db/engine/client.ts'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { ShopKeys } from '../crypto/key-ring.ts'
import { createLinkHash, unkeyedHash } from './chain-hash.ts'
import { formatHead, type Head } from './saved-heads.ts'

/** On SQLite, other requests wait for a batch. */
const batch = 1000

export type AuditSummary = {
  /** Links that were verified. */
  chained: number
  /** Rows that the chaining job has not processed yet. */
  pending: number
  findings: number
  /** Saved heads that were compared. */
  heads: number
  /** The end of the chain as `seq:hash`; null when there is none. */
  head: string | null
}

type Report = (sentence: string) => void

/**
 * Verifies the audit log's chain from its first row, alongside the running shop and in bounded
 * memory. Reports every row that was changed, removed, moved or duplicated since it was chained.
 * @param options.savedHeads earlier heads of the chain that were saved elsewhere. Without them,
 * cutting off the newest rows of both log and chain cannot be detected, nor writing all of it again
 * without a key, as an earlier version of the shop did
 * @param options.findsDuplicates also looks for ids that no constraint of ours allows twice
 * @param options.onFinding called with one sentence per finding, without values
 */
export async function verifyAudit(
  db: Db,
  {
    keys,
    savedHeads = null,
    findsDuplicates = true,
    onFinding,
  }: {
    keys: Pick<ShopKeys, 'indexKey'>
    savedHeads?: AsyncIterable<Head> | Iterable<Head> | null
    findsDuplicates?: boolean
    onFinding: Report
  },
): Promise<AuditSummary> {
  let findings = 0
  const report: Report = (sentence) => {
    findings++
    onFinding(sentence)
  }
  const head = await walkChain(db, createLinkHash(keys), report)
  const heads = savedHeads ? await compareHeads(db, savedHeads, report) : 0
  if (findsDuplicates) for (const id of await listDuplicateIds(db)) report(`${id} appears twice.`)
  await walkLog(db, report)
  const { count, missingIds: lost } = await getPendingSummary(db)
  for (const id of lost) report(`Row ${id} is pending and is not in the log.`)
  return { chained: head.chained, pending: count, findings, heads, head: head.text }
}

/**
 * Checks each link against the previous one. After a mismatch it continues from the stored hash, so
 * each fault is reported once.
 */
async function walkChain(
  db: Db,
  keyedHash: typeof unkeyedHash,
  report: Report,
): Promise<{ chained: number; text: string | null }> {
  let seq = 0
  let chained = 0
  /** Null after a gap: the link that follows cannot be checked. */
  let previous: string | null = ''
  let keyedFrom: number | null = null
  for (;;) {
    const links = await listChain(db, { after: seq, limit: batch })
    for (const link of links) {
      if (link.seq > seq + 1) {
        report(
          `The chain is missing ${link.seq === seq + 2 ? `link ${seq + 1}` : `links ${seq + 1} to ${link.seq - 1}`}.`,
        )
        previous = null
      }
      if (link.keyed) keyedFrom ??= link.seq
      const hashOf = link.keyed ? keyedHash : unkeyedHash
      if (!link.row) report(`Row ${link.auditId}, link ${link.seq} of the chain, is not in the log.`)
      else if (!link.keyed && keyedFrom !== null) {
        report(`Row ${link.auditId}, link ${link.seq} of the chain, has no key; link ${keyedFrom} has one.`)
      } else if (previous !== null && hashOf({ previous, row: link.row }) !== link.hash) {
        report(`Row ${link.auditId}, link ${link.seq} of the chain, has changed since it was chained.`)
      }
      seq = link.seq
      previous = link.hash
      chained++
    }
    if (links.length < batch) return { chained, text: previous ? formatHead({ seq, hash: previous }) : null }
    await yieldToEventLoop()
  }
}

/**
 * Reports the first saved head that the chain does not contain, and how many more there are.
 * Returns how many were compared.
 */
async function compareHeads(
  db: Db,
  heads: AsyncIterable<Head> | Iterable<Head>,
  report: Report,
): Promise<number> {
  let compared = 0
  let mismatches = 0
  let first = ''
  let pending: Head[] = []
  const compare = async (): Promise<void> => {
    if (pending.length === 0) return
    const hashes = await listHashes(
      db,
      pending.map(({ seq }) => seq),
    )
    for (const { seq, hash } of pending) {
      const current = hashes.get(seq)
      if (current === hash) continue
      first ||=
        current === undefined
          ? `The chain ends before link ${seq}, which it used to contain.`
          : `Link ${seq} of the chain does not match the saved head.`
      mismatches++
    }
    compared += pending.length
    pending = []
  }
  for await (const head of heads) {
    if (pending.push(head) === batch) await compare()
  }
  await compare()
  if (mismatches > 0)
    report(mismatches === 1 ? first : `${first} Of the saved heads, ${mismatches} are wrong.`)
  return compared
}

/** Every row of the log is either chained or pending. */
async function walkLog(db: Db, report: Report): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await listLogStates(db, { after, limit: batch })
    for (const { id, seq, isPending: isWaiting } of rows) {
      if (seq === null && !isWaiting) report(`Row ${id} of the log is neither chained nor pending.`)
      if (seq !== null && isWaiting) report(`Row ${id}, link ${seq} of the chain, is pending again.`)
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < batch) return
    await yieldToEventLoop()
  }
}
