import { listQuestions as listRows } from '#db/prescriptions/prescription-questions.ts'
import type { Question } from '#domain/prescriptions/prescription-review.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openQuestion } from './sealed-question.ts'

/**
 * The questions about a user's prescriptions by prescription id, the oldest first. Not audited: the
 * caller has audited the list.
 * @param key the user's key
 */
export async function listQuestions(
  ctx: Pick<Context, 'db'>,
  key: KeyRing,
  prescriptionIds: readonly string[],
): Promise<Map<string, Question[]>> {
  const questions = new Map<string, Question[]>()
  for (const row of await listRows(ctx.db, prescriptionIds)) {
    const some = questions.get(row.prescriptionId) ?? []
    questions.set(row.prescriptionId, [...some, openQuestion(key, row)])
  }
  return questions
}
