import { paths } from '#domain/paths.ts'
import { findQuestion, insertQuestion, updateAnswer } from '#db/prescriptions/prescription-questions.ts'
import { findPrescription, touchPrescription } from '#db/prescriptions/prescriptions.ts'
import { AppError } from '#domain/errors.ts'
import { isId, newId } from '#domain/ids.ts'
import { notTheirs } from '../note-refusal.ts'
import { requirePermission, requireUser } from '../require-user.ts'
import { findEmail } from '../accounts/person-reader.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { getForReview } from './get-for-review.ts'
import { sealAnswer, sealQuestion } from './sealed-question.ts'

/**
 * Stores a question about a prescription under review and emails its customer, in one transaction.
 * Returns whether it did: false when the prescription was decided or changed since `version`.
 * Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 */
export async function askQuestion(
  ctx: Context,
  { id, version, question }: { id: string; version: number; question: string },
): Promise<boolean> {
  const { id: authorId } = requirePermission(ctx, 'prescriptions.review')
  const { row, key } = await getForReview(ctx, id)
  const address = await findEmail(ctx, row.userId)
  if (address === null) throw new AppError('NOT_FOUND')
  return (
    row.status === 'under_review' &&
    (await inTransaction(ctx, async (ctx) => {
      if (!(await touchPrescription(ctx.db, { id, version }))) return false
      const questionId = newId(ctx.now.getTime())
      await insertQuestion(ctx.db, {
        id: questionId,
        prescriptionId: id,
        authorId,
        createdAt: ctx.now,
        sealedQuestion: sealQuestion(key, questionId, question),
      })
      await recordAudit(ctx, { action: 'prescription.question-asked', subjectId: row.userId, objectId: id })
      await queueMail(ctx, {
        to: { address },
        template: 'prescription-question',
        props: { link: ctx.shop.publicOrigin + paths.prescriptions },
      })
      return true
    }))
  )
}

/**
 * Answers a question about one of the signed-in user's prescriptions. An answer cannot be changed.
 * It raises the prescription's version, so the reviewer notices it. Throws UNAUTHENTICATED;
 * NOT_FOUND when the question is missing or another user's; CONFLICT when it has been answered or
 * the prescription decided.
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
    if (!prescription || !key) throw notTheirs(ctx, id)
    const isOpen = prescription.status === 'under_review'
    const sealedAnswer = sealAnswer(key, id, answer)
    if (!isOpen || !(await updateAnswer(ctx.db, { id, sealedAnswer, now: ctx.now }))) {
      throw new AppError('CONFLICT', 'This question no longer needs an answer.')
    }
    // A concurrent decision was made without the answer, and it wins.
    if (!(await touchPrescription(ctx.db, prescription))) {
      throw new AppError(
        'CONFLICT',
        'The pharmacy just updated this prescription. Review it before you answer.',
      )
    }
    await recordAudit(ctx, {
      action: 'prescription.question-answered',
      subjectId: user.id,
      objectId: prescription.id,
    })
  })
}
