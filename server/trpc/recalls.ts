import { recallQuerySchema } from '#domain/screening/recall-list.ts'
import { listRecalls } from '../recalls/list-recalls.ts'
import { procedureFor, router } from './init.ts'
import { gridInput } from './inputs.ts'

export const recallsRouter = router({
  list: procedureFor('lists.read')
    .input(gridInput(recallQuerySchema))
    .query(({ ctx, input }) => listRecalls(ctx, input)),
})
