import { listChain, listDoubled, listLogPlaces, readWaiting } from '#db/audit/audit.ts'
import type { Db } from '#db/engine/client.ts'
import { chainHash } from './chain-hash.ts'

const batch = 2000

export type AuditSummary = {
  /** Links that were walked. */
  chained: number
  /** The tail that the job has not taken yet. */
  waiting: number
  findings: number
  /** The end of the chain as `seq:hash`; null when there is none. */
  head: string | null
}

/**
 * Walks the audit log's chain from its first row, beside the running shop and in bounded memory, and tells of everything that was
 * changed, removed, put elsewhere or doubled since it was chained.
 * @param knownHead an end of the chain that was noted elsewhere, as `seq:hash`: without one, nobody can tell whether the newest
 *   rows of log and chain were cut off together
 * @param onFinding told of each in one sentence, without values
 */
export async function verifyAudit(
  db: Db,
  { knownHead, onFinding }: { knownHead?: string; onFinding: (sentence: string) => void },
): Promise<AuditSummary> {
  let findings = 0
  const find = (sentence: string): void => {
    findings++
    onFinding(sentence)
  }
  const head = await walkChain(db, find)
  if (knownHead !== undefined) await checkKnownHead(db, knownHead, find)
  for (const id of await listDoubled(db)) find(`${id} stands there twice.`)
  await walkLog(db, find)
  const { count, lost } = await readWaiting(db)
  for (const id of lost) find(`Row ${id} waits to be chained and is not in the log.`)
  return { chained: head.chained, waiting: count, findings, head: head.text }
}

/** Each link against the one before it. After a fault the walk goes on from what stands there, so that one fault is told once. */
async function walkChain(
  db: Db,
  find: (sentence: string) => void,
): Promise<{ chained: number; text: string | null }> {
  let seq = 0
  let chained = 0
  /** Null after a gap: the link that follows cannot be checked. */
  let previous: string | null = ''
  for (;;) {
    const links = await listChain(db, { after: seq, limit: batch })
    for (const link of links) {
      if (link.seq > seq + 1) {
        find(
          `The chain misses ${link.seq === seq + 2 ? `link ${seq + 1}` : `links ${seq + 1} to ${link.seq - 1}`}.`,
        )
        previous = null
      }
      if (!link.row) find(`Row ${link.auditId}, link ${link.seq} of the chain, is not in the log.`)
      else if (previous !== null && chainHash(previous, link.row) !== link.hash) {
        find(`Row ${link.auditId}, link ${link.seq} of the chain, is not what was chained.`)
      }
      seq = link.seq
      previous = link.hash
      chained++
    }
    if (links.length < batch) return { chained, text: seq > 0 ? `${seq}:${previous}` : null }
  }
}

async function checkKnownHead(db: Db, knownHead: string, find: (sentence: string) => void): Promise<void> {
  const [seq = '', hash] = knownHead.split(':')
  const [link] = await listChain(db, { after: Number(seq) - 1, limit: 1 })
  if (link?.seq !== Number(seq)) find(`The chain ends before link ${seq}, which it had.`)
  else if (link.hash !== hash) find(`Link ${seq} of the chain is not the one that was noted.`)
}

/** Every row of the log is chained or waits, and not both. */
async function walkLog(db: Db, find: (sentence: string) => void): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await listLogPlaces(db, { after, limit: batch })
    for (const { id, seq, isWaiting } of rows) {
      if (seq === null && !isWaiting) find(`Row ${id} of the log is neither chained nor waiting.`)
      if (seq !== null && isWaiting) find(`Row ${id}, link ${seq} of the chain, waits to be chained again.`)
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < batch) return
  }
}
