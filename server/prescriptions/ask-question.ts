import { findQuestion, insertQuestion, updateAnswer } from '#db/prescriptions/prescription-questions.ts'
import { findPrescription, touchPrescription } from '#db/prescriptions/prescriptions.ts'
import { findSealedEmail } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { isId, newId } from '#domain/ids.ts'
import type { Review } from '#domain/prescriptions/prescription-review.ts'
import { requireAdmin, requireUser } from '../require-user.ts'
import { openEmail } from '../accounts/sealed-user.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { findForReview } from './find-for-review.ts'
import { readReview } from './get-review.ts'
import { sealAnswer, sealQuestion } from './sealed-question.ts'

/**
 * Asks the customer about a prescription, which stays under review, and mails them that they are asked: all or nothing. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and CONFLICT, with the review as it is, when it is decided or somebody was quicker.
 * @param version of what whoever asks has seen
 */
export async function askQuestion(
  ctx: Context,
  { id, version, question }: { id: string; version: number; question: string },
): Promise<Review> {
  const { id: askedBy } = requireAdmin(ctx)
  const { row, key } = await findForReview(ctx, id)
  const sealed = await findSealedEmail(ctx.db, row.userId)
  if (!sealed) throw new AppError('NOT_FOUND')
  const isAsked =
    row.status === 'under_review' &&
    (await inTransaction(ctx, async (ctx) => {
      if (!(await touchPrescription(ctx.db, { id, version }))) return false
      const questionId = newId(ctx.now.getTime())
      await insertQuestion(ctx.db, {
        id: questionId,
        prescriptionId: id,
        askedBy,
        askedAt: ctx.now,
        sealedQuestion: sealQuestion(key, questionId, question),
      })
      await recordAudit(ctx, { action: 'prescription.question-asked', subjectId: row.userId, objectId: id })
      await queueMail(ctx, {
        to: { address: openEmail(key, sealed) },
        template: 'prescription-question',
        props: { link: `${ctx.shop.publicOrigin}/prescriptions` },
      })
      return true
    }))
  const review = await readReview(ctx, id)
  if (isAsked) return review
  throw new AppError('CONFLICT', 'Somebody else has just worked on this prescription.', { current: review })
}

/**
 * Answers a question about a prescription of one's own; what was answered once stays. Whoever reviews it sees that it has changed. Throws
 * UNAUTHENTICATED; NOT_FOUND when it is missing or another's; CONFLICT when it is answered or decided by now.
 */
export async function answerQuestion(
  ctx: Context,
  { id, answer }: { id: string; answer: string },
): Promise<void> {
  const user = requireUser(ctx)
  await inTransaction(ctx, async (ctx) => {
    const question = isId(id) ? await findQuestion(ctx.db, id) : null
    const prescription = question && (await findPrescription(ctx.db, question.prescriptionId))
    const key = prescription?.userId === user.id ? await openUserKey(ctx, user.id) : null
    if (!prescription || !key) throw new AppError('NOT_FOUND')
    const isOpen = prescription.status === 'under_review'
    const sealedAnswer = sealAnswer(key, id, answer)
    if (!isOpen || !(await updateAnswer(ctx.db, { id, sealedAnswer, now: ctx.now }))) {
      throw new AppError('CONFLICT', 'This question needs no answer any more.')
    }
    // A decision at the same moment was made without the answer, and counts.
    if (!(await touchPrescription(ctx.db, prescription))) {
      throw new AppError('CONFLICT', 'The pharmacy has just worked on this prescription. Please look again.')
    }
    await recordAudit(ctx, {
      action: 'prescription.question-answered',
      subjectId: user.id,
      objectId: prescription.id,
    })
  })
}
