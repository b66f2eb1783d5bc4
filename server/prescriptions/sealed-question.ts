import type { QuestionRow } from '#db/prescriptions/prescription-questions.ts'
import type { Question } from '#domain/prescriptions/prescription-review.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal, unseal } from '../crypto/sealing.ts'

/** @param key the key of the prescription's owner */
export const sealQuestion = (key: KeyRing, id: string, question: string): string =>
  seal(key, bindings.prescriptionQuestion(id), question)
export const sealAnswer = (key: KeyRing, id: string, answer: string): string =>
  seal(key, bindings.prescriptionAnswer(id), answer)

/** Decrypts a question. Throws when the row was not sealed with this user's key. */
export const openQuestion = (key: KeyRing, row: QuestionRow): Question => ({
  id: row.id,
  question: unseal(key, bindings.prescriptionQuestion(row.id), row.sealedQuestion),
  askedAt: row.createdAt.toISOString(),
  answer:
    row.sealedAnswer === null ? null : unseal(key, bindings.prescriptionAnswer(row.id), row.sealedAnswer),
  answeredAt: row.answeredAt?.toISOString() ?? null,
})
