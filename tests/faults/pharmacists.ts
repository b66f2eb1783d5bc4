import { paths } from '#domain/paths.ts'
import { UnexpectedReplyError } from '#tests/support/buyer.ts'
import { NoReplyError, type PlainClient } from '#tests/support/http-client.ts'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { recordRejection } from './customers.ts'
import type { Journal } from './journal.ts'
import type { Decision, TestMedicine } from './prescribed.ts'

const pauseMs = 150
const shipAttempts = 40
const dispenseLimitMs = 60_000

/** Calls a procedure of the back office. Throws UnexpectedReplyError. */
async function call<T>(staff: PlainClient, name: string, json: unknown, schema: z.ZodType<T>): Promise<T> {
  const reply = await staff.send('POST', `${paths.trpc}/${name}`, { json })
  if (reply.status !== 200) throw new UnexpectedReplyError(reply, name)
  return z.object({ result: z.object({ data: schema }) }).parse(JSON.parse(reply.body)).result.data
}

const queueSchema = z.object({
  rows: z.array(z.object({ id: z.string(), kind: z.string(), isCaptureRefused: z.boolean() })),
})
const lineSchema = z.object({
  id: z.string(),
  version: z.number(),
  status: z.string(),
  variantId: z.string(),
  candidates: z.array(z.object({ itemId: z.string(), itemVersion: z.number(), isPossible: z.boolean() })),
})
const threadSchema = z.object({ subjectId: z.string(), messages: z.array(z.object({ id: z.string() })) })
const caseSchema = z.object({ lines: z.array(lineSchema), threads: z.array(threadSchema) })
type Line = z.output<typeof lineSchema>

/**
 * Works on the queue until the signal aborts: decides each line as its medicine says, ships some of
 * what was charged, and tries refused captures again.
 */
export async function keepDeciding(
  pharmacist: PlainClient,
  medicines: readonly TestMedicine[],
  journal: Journal,
  signal: AbortSignal,
): Promise<void> {
  const decisions = new Map(
    medicines.flatMap(({ variantIds, decision }) => variantIds.map((id) => [id, decision] as const)),
  )
  /** Orders to ship, with the attempts that are left. */
  const packed = new Map<string, number>()
  while (!signal.aborted) {
    try {
      const isIdle = !(await decideNext(pharmacist, decisions, journal, packed))
      await shipNext(pharmacist, journal, packed)
      if (isIdle) await retryCaptures(pharmacist)
      if (isIdle) await sleep(pauseMs)
    } catch (error) {
      if (signal.aborted && error instanceof NoReplyError) return
      recordRejection(journal, error)
      await sleep(pauseMs)
    }
  }
}

/** Decides the lines of a case of the queue. Returns false when there is none. */
async function decideNext(
  pharmacist: PlainClient,
  decisions: ReadonlyMap<string, Decision>,
  journal: Journal,
  packed: Map<string, number>,
): Promise<boolean> {
  const { rows } = await call(pharmacist, 'cases.list', { filter: 'new' }, queueSchema)
  // An order whose capture was refused is decided already. A prescription without one has no lines.
  const undecided = rows.filter(({ kind, isCaptureRefused }) => kind === 'order' && !isCaptureRefused)
  // Not the first: pharmacists work side by side.
  const next = undecided[randomInt(Math.max(1, Math.min(4, undecided.length)))]
  if (!next) return false
  const { lines, threads } = await call(pharmacist, 'cases.get', { id: next.id }, caseSchema)
  const orderThread = threads.find(({ subjectId }) => subjectId === next.id)
  const lastMessageId = orderThread?.messages.at(-1)?.id ?? ''
  for (const line of lines) {
    if (line.status !== 'waiting') continue
    const decision = decisions.get(line.variantId)
    if (!decision) throw new Error(`No pharmacist knows the medicine of line ${line.id}.`)
    await decide(pharmacist, { ...line, lastMessageId }, decision)
    if (decision === 'clear') journal.cleared.add(line.id)
    if (decision === 'refuse') journal.refused.add(line.id)
  }
  if (lines.some(({ variantId }) => decisions.get(variantId) === 'clear') && randomInt(3) === 0)
    packed.set(next.id, shipAttempts)
  return true
}

async function decide(
  pharmacist: PlainClient,
  { id: lineId, version, candidates, lastMessageId = '' }: Line & { lastMessageId?: string },
  decision: Decision,
): Promise<void> {
  const line = { lineId, version }
  if (decision === 'refuse') {
    await call(pharmacist, 'cases.refuse', { ...line, reason: 'Your doctor has stopped it.' }, caseSchema)
  } else if (decision === 'ask') {
    const asked = { ...line, lastMessageId, question: 'Do you still take it?' }
    await call(pharmacist, 'cases.ask', asked, caseSchema)
  } else {
    // The line may be cancelled while its case is read, and the last refill be reserved again. Then
    // no item is possible, and the shop answers that the line has changed.
    const item = candidates.find(({ isPossible }) => isPossible) ?? candidates[0]
    const { itemId, itemVersion } = item ?? { itemId: '', itemVersion: 0 }
    // The test shop has no pharmacies, so no destination is served.
    const input = { ...line, itemId, itemVersion, destinationNote: 'Checked' }
    await call(pharmacist, 'cases.clear', input, caseSchema)
  }
}

/** Ships an order once its payment was captured, which the shop refuses until then. */
async function shipNext(
  pharmacist: PlainClient,
  journal: Journal,
  packed: Map<string, number>,
): Promise<void> {
  const [next] = packed
  if (!next) return
  const [orderId, attempts] = next
  packed.delete(orderId)
  journal.shipping.add(orderId)
  const reply = await pharmacist.send('PATCH', `/api/orders/${orderId}`, { json: { status: 'shipped' } })
  if (reply.status === 200) journal.shipped.add(orderId)
  else if (reply.status !== 409 && !journal.isBroken) throw new UnexpectedReplyError(reply, 'PATCH orders')
  else if (attempts > 0) packed.set(orderId, attempts - 1)
}

async function retryCaptures(pharmacist: PlainClient): Promise<void> {
  const { rows } = await call(pharmacist, 'cases.list', { filter: 'due' }, queueSchema)
  for (const { id, isCaptureRefused } of rows) {
    if (isCaptureRefused) await call(pharmacist, 'orders.retryCapture', { id }, z.undefined().optional())
  }
}

/** Clears all lines of an order and ships it, in a shop that nothing breaks. */
export async function dispense(pharmacist: PlainClient, orderId: string): Promise<void> {
  const { lines } = await call(pharmacist, 'cases.get', { id: orderId }, caseSchema)
  for (const line of lines) await decide(pharmacist, line, 'clear')
  const until = Date.now() + dispenseLimitMs
  for (;;) {
    const reply = await pharmacist.send('PATCH', `/api/orders/${orderId}`, { json: { status: 'shipped' } })
    if (reply.status === 200) return
    // The capture is under way.
    if (reply.status !== 409 || Date.now() > until) throw new UnexpectedReplyError(reply, 'PATCH orders')
    await sleep(pauseMs)
  }
}
