import { decisionSchema } from '#domain/prescriptions/prescription-details.ts'
import { decideReview } from '../reviews/decide-review.ts'
import { procedureFor, router } from './init.ts'
import { versionedSchema } from './inputs.ts'

export const prescriptionsRouter = router({
  decide: procedureFor('prescriptions.review')
    .input(versionedSchema.extend(decisionSchema.shape))
    .mutation(({ ctx, input }) => decideReview(ctx, input)),
})
