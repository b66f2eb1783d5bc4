import { listMessages, listThreadsAbout, type ThreadRow } from '#db/messages/messages.ts'
import { listQuestions } from '#db/prescriptions/prescription-questions.ts'
import { emptyThread, type Message, type Thread } from '#domain/messages/messages.ts'
import type { Context } from '../context.ts'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { unseal } from '../crypto/sealing.ts'
import { openMessage } from './sealed-message.ts'

/** What other areas read of threads. Not audited: the caller writes the audit row. */

/**
 * A customer's threads about these orders and prescriptions, by their ids. Threads without a
 * message are empty.
 * @param key the customer's key
 */
export async function readThreads(
  ctx: Pick<Context, 'db'>,
  key: KeyRing,
  { userId, subjectIds }: { userId: string; subjectIds: readonly string[] },
): Promise<Map<string, Thread>> {
  const rows = await listThreadsAbout(ctx.db, subjectIds)
  const found = await openThreads(
    ctx,
    key,
    rows.filter((row) => row.userId === userId),
  )
  return new Map(subjectIds.map((id) => [id, found.get(id) ?? emptyThread]))
}

/** Opens the threads of these rows. */
export async function openThreads(
  ctx: Pick<Context, 'db'>,
  key: KeyRing,
  rows: readonly ThreadRow[],
): Promise<Map<string, Thread>> {
  if (rows.length === 0) return new Map()
  const threads = new Map(
    rows.map(({ subjectId, waitingFor }): [string, Thread] => [subjectId, { messages: [], waitingFor }]),
  )
  for (const { prescriptionId, ...message } of await readEarlierQuestions(ctx, key, rows))
    threads.get(prescriptionId)?.messages.push(message)
  for (const row of await listMessages(ctx.db, [...threads.keys()]))
    threads.get(row.subjectId)?.messages.push(openMessage(key, row))
  return threads
}

/** Questions from before message threads existed: each is a message, and so is its answer. */
async function readEarlierQuestions(
  ctx: Pick<Context, 'db'>,
  key: KeyRing,
  rows: readonly ThreadRow[],
): Promise<(Message & { prescriptionId: string })[]> {
  const ids = rows.flatMap(({ prescriptionId }) => prescriptionId ?? [])
  if (ids.length === 0) return []
  return (await listQuestions(ctx.db, ids)).flatMap((row) => {
    const { id, prescriptionId } = row
    const question = {
      id,
      prescriptionId,
      from: 'pharmacy' as const,
      text: unseal(key, bindings.prescriptionQuestion(id), row.sealedQuestion),
      at: row.createdAt.toISOString(),
    }
    if (row.sealedAnswer === null) return [question]
    const answer = {
      id: `${id} answer`,
      prescriptionId,
      from: 'customer' as const,
      text: unseal(key, bindings.prescriptionAnswer(id), row.sealedAnswer),
      at: (row.answeredAt ?? row.createdAt).toISOString(),
    }
    return [question, answer]
  })
}
