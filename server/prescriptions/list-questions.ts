import { listThreadsAbout } from '#db/messages/messages.ts'
import type { Message } from '#domain/messages/messages.ts'
import type { Question } from '#domain/prescriptions/prescription-review.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openThreads } from '../messages/read-threads.ts'

/**
 * The pharmacy's questions about a user's prescriptions by prescription id, the oldest first. Not
 * audited: the caller has audited the list.
 * @param key the user's key
 */
export async function listQuestions(
  ctx: Pick<Context, 'db'>,
  key: KeyRing,
  prescriptionIds: readonly string[],
): Promise<Map<string, Question[]>> {
  const threads = await openThreads(ctx, key, await listThreadsAbout(ctx.db, prescriptionIds))
  return new Map([...threads].map(([id, { messages }]) => [id, toQuestions(messages)]))
}

/** Pairs each question with what the customer wrote after it. */
function toQuestions(messages: readonly Message[]): Question[] {
  const questions: Question[] = []
  for (const { id, from, text, at } of messages) {
    const last = questions.at(-1)
    if (from === 'pharmacy')
      questions.push({ id, question: text, askedAt: at, answer: null, answeredAt: null })
    else if (last) {
      last.answer = last.answer === null ? text : `${last.answer}\n\n${text}`
      last.answeredAt = at
    }
  }
  return questions
}
