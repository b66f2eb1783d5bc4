import type { QuestionRow } from '#db/prescriptions/prescription-questions.ts'
import type { Question } from '#domain/prescriptions/prescription-review.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

const placeOf = (row: string, column: 'sealed_question' | 'sealed_answer') => ({
  table: 'prescription_questions',
  column,
  row,
})

/** @param key the prescription's user's */
export const sealQuestion = (key: KeyRing, id: string, question: string): string =>
  seal(key, placeOf(id, 'sealed_question'), question)
export const sealAnswer = (key: KeyRing, id: string, answer: string): string =>
  seal(key, placeOf(id, 'sealed_answer'), answer)

/** Throws when the row was not sealed with this user's key. */
export const openQuestion = (key: KeyRing, row: QuestionRow): Question => ({
  id: row.id,
  question: unseal(key, placeOf(row.id, 'sealed_question'), row.sealedQuestion),
  askedAt: row.askedAt.toISOString(),
  answer: row.sealedAnswer === null ? null : unseal(key, placeOf(row.id, 'sealed_answer'), row.sealedAnswer),
  answeredAt: row.answeredAt?.toISOString() ?? null,
})
