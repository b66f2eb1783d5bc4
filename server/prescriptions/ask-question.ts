import { touchPrescription } from '#db/prescriptions/prescriptions.ts'
import { newId } from '#domain/ids.ts'
import { inTransaction, type Context } from '../context.ts'
import { askCustomer } from '../messages/send-message.ts'
import { getForReview } from './get-for-review.ts'

/**
 * Asks the customer about a prescription under review, in its thread. Returns whether it did: false
 * when the prescription was decided or changed since `version`. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND, and CONFLICT for the pharmacist's own prescription.
 */
export async function askQuestion(
  ctx: Context,
  { id, version, question }: { id: string; version: number; question: string },
): Promise<boolean> {
  const { row } = await getForReview(ctx, id)
  return (
    row.status === 'under_review' &&
    (await inTransaction(ctx, async (ctx) => {
      if (!(await touchPrescription(ctx.db, { id, version }))) return false
      await askCustomer(ctx, { subjectId: id, text: question, requestKey: newId() })
      return true
    }))
  )
}
