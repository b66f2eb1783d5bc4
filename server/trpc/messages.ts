import { threadQuerySchema } from '#domain/messages/thread-list.ts'
import { listWaitingThreads } from '../messages/list-thread.ts'
import { procedureFor, router } from './init.ts'
import { gridInput } from './inputs.ts'

export const messagesRouter = router({
  list: procedureFor('prescriptions.review')
    .input(gridInput(threadQuerySchema))
    .query(({ ctx, input }) => listWaitingThreads(ctx, input)),
})
