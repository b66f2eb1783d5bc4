import { decisionSchema } from '#domain/prescriptions/prescription-details.ts'
import { questionSchema, reviewQuerySchema } from '#domain/prescriptions/review-inputs.ts'
import { askCustomer } from '../reviews/ask-customer.ts'
import { decideReview } from '../reviews/decide-review.ts'
import { listReviews } from '../prescriptions/list-reviews.ts'
import { getReview } from '../reviews/get-review.ts'
import { procedureFor, router } from './init.ts'
import { gridInput, idSchema, versionedSchema } from './inputs.ts'

export const prescriptionsRouter = router({
  list: procedureFor('prescriptions.review')
    .input(gridInput(reviewQuerySchema))
    .query(({ ctx, input }) => listReviews(ctx, input)),
  get: procedureFor('prescriptions.review')
    .input(idSchema)
    .query(({ ctx, input }) => getReview(ctx, input.id)),
  decide: procedureFor('prescriptions.review')
    .input(versionedSchema.extend(decisionSchema.shape))
    .mutation(({ ctx, input }) => decideReview(ctx, input)),
  ask: procedureFor('prescriptions.review')
    .input(versionedSchema.extend(questionSchema.shape))
    .mutation(({ ctx, input }) => askCustomer(ctx, input)),
})
