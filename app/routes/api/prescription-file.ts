import { openPrescriptionFile } from '#server/prescriptions/open-prescription-file.ts'
import { apiLoader, methodNotAllowed } from '../../http/api.server.ts'
import { fileReply } from '../../http/file-reply.server.ts'

export const loader = apiLoader(async (ctx, { request, params }) =>
  fileReply(request, await openPrescriptionFile(ctx, params['id'] ?? ''), 'prescription'),
)

export const action = methodNotAllowed('GET')
