import { listUserPrescriptions } from '#server/prescriptions/list-prescriptions.ts'
import { apiLoader, methodNotAllowed, privateReply } from '../../http/api.server.ts'
import { prescriptionReply } from '../../http/prescription-reply.server.ts'

export const loader = apiLoader(async (ctx, { params }) =>
  privateReply((await listUserPrescriptions(ctx, params['userId'] ?? '')).map(prescriptionReply)),
)

export const action = methodNotAllowed('GET')
